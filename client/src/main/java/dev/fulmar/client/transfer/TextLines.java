package dev.fulmar.client.transfer;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a file line by line, for messages. */
final class TextLines {
    private TextLines() {}

    /**
     * The number of the first line, from 1, that is not UTF-8; 0 if all are. A reader of the whole file is ahead of it,
     * and cannot tell.
     */
    static long firstThatIsNotUtf8(Path file) throws IOException {
        try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file))) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            long number = 1;
            int next;
            do {
                next = bytes.read();
                if (next < 0 || next == '\n') {
                    if (!isUtf8(line.toByteArray())) {
                        return number;
                    }
                    line.reset();
                    number++;
                } else {
                    line.write(next);
                }
            } while (next >= 0);
            return 0;
        }
    }

    private static boolean isUtf8(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
