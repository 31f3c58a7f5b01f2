package dev.fulmar.benchmarks.bulk;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs psql against a server of PostgreSQL's protocol.
 *
 * @param psql the program
 * @param errors file for what it complains of
 */
record PostgresClient(Path psql, Path errors, int port, String user, String password, String database) {
    private static final int PATIENCE_SECONDS = 1_200;

    /** Lines and bytes of an output. */
    record Output(long lines, long bytes) {}

    private Process start(ProcessBuilder.Redirect input, String... statements) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                psql.toString(),
                "-X",
                "-q",
                "-A",
                "-t",
                "-v",
                "ON_ERROR_STOP=1",
                "-h",
                "127.0.0.1",
                "-p",
                Integer.toString(port),
                "-U",
                user,
                "-d",
                database));
        for (String statement : statements) {
            command.addAll(List.of("-c", statement));
        }
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectInput(input).redirectError(errors.toFile());
        builder.environment().put("PGPASSWORD", password);
        return builder.start();
    }

    private void end(Process process) throws IOException, InterruptedException {
        boolean isOver = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!isOver) {
            process.destroyForcibly().waitFor();
        }
        if (!isOver || process.exitValue() != 0) {
            throw new IOException("psql did not end well: " + Files.readString(errors, StandardCharsets.UTF_8));
        }
    }

    /** Runs statements, and returns what they print. */
    String run(String... statements) throws IOException, InterruptedException {
        Process process =
                start(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()), statements);
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        end(process);
        return printed;
    }

    /** Runs statements of which the last reads the file. */
    void copyFrom(Path file, String... statements) throws IOException, InterruptedException {
        Process process = start(ProcessBuilder.Redirect.from(file.toFile()), statements);
        process.getInputStream().readAllBytes();
        end(process);
    }

    /** Runs statements of which the last reads what is written. */
    void copyFrom(Consumer<OutputStream> rows, String... statements) throws IOException, InterruptedException {
        Process process = start(ProcessBuilder.Redirect.PIPE, statements);
        rows.accept(process.getOutputStream());
        process.getInputStream().readAllBytes();
        end(process);
    }

    /** Runs a statement, and counts what it prints. */
    Output copyTo(String statement) throws IOException, InterruptedException {
        Process process =
                start(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()), statement);
        byte[] part = new byte[1 << 16];
        long lines = 0;
        long bytes = 0;
        InputStream printed = process.getInputStream();
        for (int count = printed.read(part); count >= 0; count = printed.read(part)) {
            bytes += count;
            for (int i = 0; i < count; i++) {
                lines += part[i] == '\n' ? 1 : 0;
            }
        }
        end(process);
        return new Output(lines, bytes);
    }
}
