package dev.fulmar.benchmarks.driversuite;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The driver's tests, which Maven compiles from the driver's sources and runs against the released driver. For one
 * thread.
 */
public final class DriverTests {
    private static final String POM = "pgjdbc-suite.xml";
    private static final long LONGEST_MINUTES = 90;
    private static final int MOST_LINES = 20;

    private final Path suite;
    private final Path work;
    private final @Nullable String only;

    /**
     * A server to run the tests against.
     *
     * @param name of the directory for its reports
     */
    public record Server(String name, int port, String user, String password) {}

    /** The results of all tests on one server. */
    public static final class Results {
        private final SortedMap<String, TestResult> byTest;

        private Results(SortedMap<String, TestResult> byTest) {
            this.byTest = byTest;
        }

        /** The comparison of these results with those of PostgreSQL. */
        public SuiteOutcome comparedWith(Results reference) throws IOException {
            return SuiteOutcome.of(reference.byTest, byTest, KnownDifferences.load());
        }
    }

    /**
     * @param suite the driver's sources
     * @param work a directory for what Maven makes
     * @param only names of classes with commas between them; null for all
     */
    public DriverTests(Path suite, Path work, @Nullable String only) {
        this.suite = suite;
        this.work = work;
        this.only = only;
    }

    /**
     * Runs the tests.
     *
     * @throws IOException if Maven does not come to their end
     */
    public Results run(Server server) throws IOException, InterruptedException {
        Path pom = work.resolve("pom.xml");
        try (InputStream source = DriverTests.class.getResourceAsStream("/" + POM)) {
            if (source == null) {
                throw new IllegalStateException("the resource " + POM + " is missing");
            }
            Files.write(pom, source.readAllBytes());
        }
        Path reports = work.resolve(server.name);
        Path log = work.resolve(server.name + ".log");
        List<String> command = new ArrayList<>(List.of(
                "mvn",
                "-B",
                "-ntp",
                "-f",
                pom.toString(),
                "-Dsuite=" + suite,
                "-Dreports=" + reports,
                "-Dserver.port=" + server.port,
                "-Dserver.user=" + server.user,
                "-Dserver.password=" + server.password,
                "test"));
        if (only != null) {
            command.add("-Dtest=" + only);
        }
        ProcessBuilder maven =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = maven.start();
        try {
            boolean hasEnded = process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES);
            if (!hasEnded || process.exitValue() != 0) {
                throw new IOException("Maven has not run the driver's tests; its last words:\n" + last(log));
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Results(TestReports.read(reports));
    }

    private static String last(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size()));
    }
}
