package dev.fulmar.client.transfer;

import dev.fulmar.foundation.error.FulmarException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The records that became no rows, to be mended and loaded, and a file of reasons. Made when the first one comes; a
 * load that is resumed adds to them.
 */
final class RejectFile implements AutoCloseable {
    private final TableLoad.Request request;
    private @Nullable BufferedWriter records;
    private @Nullable BufferedWriter reasons;

    RejectFile(TableLoad.Request request) throws IOException {
        this.request = request;
        if (!request.resume()) {
            Files.deleteIfExists(request.rejectFile());
            Files.deleteIfExists(request.reasonFile());
        }
    }

    void add(String record, long line, FulmarException reason) throws IOException {
        BufferedWriter text = records;
        BufferedWriter why = reasons;
        if (text == null || why == null) {
            text = Files.newBufferedWriter(
                    request.rejectFile(), StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            records = text;
            why = Files.newBufferedWriter(
                    request.reasonFile(), StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            reasons = why;
        }
        text.write(record);
        text.newLine();
        text.flush();
        why.write("line " + line + ": " + reason.code() + " " + reason.getMessage());
        why.newLine();
        why.flush();
    }

    @Override
    public void close() throws IOException {
        BufferedWriter text = records;
        BufferedWriter why = reasons;
        if (text != null) {
            text.close();
        }
        if (why != null) {
            why.close();
        }
    }
}
