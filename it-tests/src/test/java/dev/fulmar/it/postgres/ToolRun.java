package dev.fulmar.it.postgres;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A tool that has run.
 *
 * @param status with which it ended
 * @param output all that it said, errors too
 */
record ToolRun(int status, String output) {
    private static final Path DEBIAN = Path.of("/usr/lib/postgresql/15/bin");

    /** The tool of the name: on the path, or where Debian puts those of PostgreSQL 15. */
    static Optional<Path> find(String name) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(
                        Stream.of(path.split(File.pathSeparator))
                                .filter(each -> !each.isEmpty())
                                .map(Path::of),
                        Stream.of(DEBIAN))
                .map(directory -> directory.resolve(name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Runs a command to its end, for so long at most. */
    static ToolRun of(List<String> command, Map<String, String> environment, Path directory, Duration limit)
            throws IOException, InterruptedException {
        Path said = Files.createTempFile(directory, "output", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(said.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        boolean isOver = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        if (!isOver) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        String output = Files.readString(said, StandardCharsets.UTF_8);
        if (!isOver) {
            throw new AssertionError(command + " did not end within " + limit.toSeconds() + " s: " + output);
        }
        return new ToolRun(process.exitValue(), output);
    }
}
