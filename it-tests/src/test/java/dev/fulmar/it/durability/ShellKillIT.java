package dev.fulmar.it.durability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.experiment.ServerProcess;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody sees whose node is killed under a script of the SQL shell. */
final class ShellKillIT {
    private static final int ENOUGH_LINES = 50;
    private static final long MOST_SECONDS = 25;

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    @Test
    void theScriptEndsSoonAndSaysThatTheOutcomeIsUnknown() throws Exception {
        Path script = Files.writeString(
                folder.resolve("script.sql"),
                "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY);\n"
                        + IntStream.range(0, 500_000)
                                .mapToObj(i -> "INSERT INTO t VALUES (" + i + ");\n")
                                .collect(Collectors.joining()));
        try (ServerProcess server =
                ServerProcess.start(folder.resolve("data"), "--partitions", "2", "--memory", "64m")) {
            Process shell = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            "dev.fulmar.launcher.Main",
                            "sql",
                            "--continue-on-error",
                            "--host",
                            "127.0.0.1:" + server.port(),
                            "-f",
                            script.toString())
                    .redirectErrorStream(true)
                    .start();
            try (BufferedReader output = shell.inputReader()) {
                for (int i = 0; i < ENOUGH_LINES; i++) {
                    assertThat(output.readLine()).isNotNull();
                }
                server.kill();
                long begin = System.nanoTime();
                List<String> rest = output.readAllLines();
                assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin))
                        .isLessThan(MOST_SECONDS);
                assertThat(rest.get(rest.size() - 2)).contains("OUTCOME_UNKNOWN", "may have taken effect");
                assertThat(rest.getLast())
                        .matches(".*script.sql ends at line \\d+; what comes after it was not executed");
            }
            assertThat(shell.waitFor()).isEqualTo(1);
        }
    }
}
