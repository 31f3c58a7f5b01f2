package dev.fulmar.node.wiring;

import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.ErrorCode.Category;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.ScriptSplitter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tables and procedures that an empty database begins with. Files are applied in the order given, each statement and
 * each jar once: after a failure that another try may not meet, {@link #apply} goes on with what failed. For one
 * thread.
 */
final class InitialSchema {
    private static final int PARAMETER_BYTES = 64;

    private final Function<String, CompletableFuture<TransactionResponse>> execute;
    private final Function<byte[], CompletableFuture<TransactionResponse>> load;
    private final List<String> files;
    private int doneFiles;
    private int doneStatements;

    InitialSchema(Database database, List<String> files) {
        this(
                sql -> database.submit(new TransactionRequest.AdHoc(0, 0, 0, sql, nothing())),
                database::loadClasses,
                files);
    }

    /**
     * @param execute executes a statement
     * @param load loads a jar
     */
    InitialSchema(
            Function<String, CompletableFuture<TransactionResponse>> execute,
            Function<byte[], CompletableFuture<TransactionResponse>> load,
            List<String> files) {
        this.execute = execute;
        this.load = load;
        this.files = List.copyOf(files);
    }

    /** Whether anything is to be done still. */
    boolean hasMore() {
        return doneFiles < files.size();
    }

    /** Whether anything was done. */
    boolean isBegun() {
        return doneFiles > 0 || doneStatements > 0;
    }

    /**
     * Loads jars and executes scripts, whose statements end as in every script. Fails with the code of what failed if
     * another try may succeed, otherwise because the configuration is wrong.
     */
    void apply() {
        while (hasMore()) {
            apply(files.get(doneFiles));
            doneFiles++;
            doneStatements = 0;
        }
    }

    private void apply(String file) {
        Path path = Path.of(file);
        try {
            if (file.endsWith(".jar")) {
                check(file, "", load.apply(Files.readAllBytes(path)));
                return;
            }
            List<String> statements = statements(file, Files.readString(path));
            for (; doneStatements < statements.size(); doneStatements++) {
                check(file, "statement " + (doneStatements + 1) + ": ", execute.apply(statements.get(doneStatements)));
            }
        } catch (IOException e) {
            throw refused(file, "it cannot be read: " + e.getMessage(), e);
        }
    }

    private static List<String> statements(String file, String script) {
        try {
            return ScriptSplitter.split(script);
        } catch (FulmarException e) { // quotes or a comment that nothing ends
            throw refused(file, String.valueOf(e.getMessage()), e);
        }
    }

    private static byte[] nothing() {
        ParameterWriter writer = new ParameterWriter(PARAMETER_BYTES, PARAMETER_BYTES);
        int length = writer.end();
        return Arrays.copyOf(writer.array(), length);
    }

    private static void check(String file, String place, CompletableFuture<TransactionResponse> answer) {
        try {
            if (answer.get() instanceof TransactionResponse.Failed(ErrorCode code, String message, var _)) {
                if (code.category() == Category.RETRYABLE) {
                    throw new FulmarException(code, "the schema file " + file + " waits: " + message);
                }
                throw refused(file, place + message + " [" + code + "]", null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FulmarException(ErrorCode.NODE_STOPPING, "interrupted while the schema was made", e);
        } catch (ExecutionException e) {
            throw refused(file, String.valueOf(e.getCause()), e);
        }
    }

    private static FulmarException refused(String file, String why, @Nullable Exception cause) {
        return new FulmarException(
                ErrorCode.INVALID_CONFIGURATION,
                "the schema file " + file + " is refused (" + why + "); correct it, or the setting schema",
                cause);
    }
}
