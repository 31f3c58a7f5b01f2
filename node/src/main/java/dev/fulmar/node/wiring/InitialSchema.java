package dev.fulmar.node.wiring;

import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Tables and procedures that an empty database begins with. */
final class InitialSchema {
    private static final String STATEMENT_END = ";\\s*(\\n|$)";
    private static final int PARAMETER_BYTES = 64;

    private InitialSchema() {}

    /** Loads jars and executes scripts in the order given. A statement of a script ends with a semicolon at the end of a line. */
    static void apply(Database database, List<String> files) {
        for (String file : files) {
            Path path = Path.of(file);
            try {
                if (file.endsWith(".jar")) {
                    check(file, database.loadClasses(Files.readAllBytes(path)));
                } else {
                    for (String statement : Files.readString(path).split(STATEMENT_END, -1)) {
                        String text = withoutComments(statement);
                        if (!text.isBlank()) {
                            check(file, database.submit(new TransactionRequest.AdHoc(0, 0, 0, text, nothing())));
                        }
                    }
                }
            } catch (IOException e) {
                throw refused(file, "it cannot be read: " + e.getMessage(), e);
            }
        }
    }

    private static String withoutComments(String statement) {
        return String.join(
                "\n",
                statement.lines().filter(line -> !line.strip().startsWith("--")).toList());
    }

    private static byte[] nothing() {
        ParameterWriter writer = new ParameterWriter(PARAMETER_BYTES, PARAMETER_BYTES);
        int length = writer.end();
        return Arrays.copyOf(writer.array(), length);
    }

    private static void check(String file, CompletableFuture<TransactionResponse> answer) {
        try {
            if (answer.get() instanceof TransactionResponse.Failed(ErrorCode code, String message)) {
                throw refused(file, message + " [" + code + "]", null);
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
