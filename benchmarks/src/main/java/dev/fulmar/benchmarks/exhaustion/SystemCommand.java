package dev.fulmar.benchmarks.exhaustion;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** A command of the operating system. */
final class SystemCommand {
    private SystemCommand() {}

    /** Its output; fails with that if its status is not 0. */
    static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        try {
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + ": " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(String.join(" ", command) + " was interrupted", e);
        }
        return said;
    }

    /** The reason for which the command cannot be run so; empty if it can. */
    static Optional<String> obstacle(String... command) {
        try {
            run(command);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(List.of(command).getFirst() + ": " + e.getMessage());
        }
    }
}
