package dev.fulmar.it.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script {@code bin/fulmar} in a checkout whose Maven only notes that it was called, and whose program says READY
 * and runs until its input ends.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class RunningBuildIT {
    private static final Path SCRIPTS = Path.of("../bin").toAbsolutePath().normalize();

    @TempDir
    private Path checkout = Path.of("replaced by JUnit");

    @BeforeEach
    void makeTheCheckout() throws IOException {
        Path bin = Files.createDirectories(checkout.resolve("bin"));
        for (String script : List.of("fulmar", "jdk.bash")) {
            Files.copy(SCRIPTS.resolve(script), bin.resolve(script));
        }
        Files.writeString(checkout.resolve("pom.xml"), "<project/>");
        Path maven = Files.createDirectories(checkout.resolve("fake")).resolve("mvn");
        Files.writeString(maven, """
                #!/usr/bin/env bash
                echo built >> "$FAKE_CHECKOUT/builds"
                mkdir -p "$FAKE_CHECKOUT/launcher/target/lib"
                """);
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        Path source = checkout.resolve("Main.java");
        Files.writeString(source, """
                package dev.fulmar.launcher;
                class Main {
                    public static void main(String[] arguments) throws Exception {
                        System.out.println("READY");
                        System.in.read();
                    }
                }
                """);
        Path classes = Files.createDirectories(checkout.resolve("launcher/target/classes"));
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-d", classes.toString(), source.toString()))
                .isZero();
    }

    @Test
    void aBuildThatIsInUseIsNotReplaced() throws Exception {
        Process running = start();
        assertThat(awaitReady(running)).isTrue();
        assertThat(builds()).isEqualTo(1);
        changeASource();

        Process beside = start();
        assertThat(awaitReady(beside)).as("it runs what was built").isTrue();
        assertThat(builds()).isEqualTo(1);
        assertThat(end(beside)).contains("a process runs from this build");

        end(running);
        Process after = start();
        assertThat(awaitReady(after)).isTrue();
        assertThat(builds()).isEqualTo(2);
        end(after);
    }

    @Test
    void aKilledProcessHoldsNothing() throws Exception {
        Process running = start();
        assertThat(awaitReady(running)).isTrue();
        running.destroyForcibly().waitFor();
        changeASource();
        Process after = start();
        assertThat(awaitReady(after)).isTrue();
        assertThat(builds()).isEqualTo(2);
        end(after);
    }

    /** In the future: file systems do not tell moments of one millisecond apart. */
    private void changeASource() throws IOException {
        Files.setLastModifiedTime(
                checkout.resolve("pom.xml"), FileTime.fromMillis(System.currentTimeMillis() + 60_000));
    }

    private Process start() throws IOException {
        ProcessBuilder command =
                new ProcessBuilder(checkout.resolve("bin/fulmar").toString());
        command.environment().put("FAKE_CHECKOUT", checkout.toString());
        command.environment().put("JAVA_HOME", System.getProperty("java.home"));
        command.environment().put("PATH", checkout.resolve("fake") + ":" + System.getenv("PATH"));
        command.environment().remove("FULMAR_NO_BUILD");
        return command.start();
    }

    private static boolean awaitReady(Process process) throws IOException {
        BufferedReader output = process.inputReader();
        return "READY".equals(output.readLine());
    }

    /** Returns what it said beside its output. */
    private static String end(Process process) throws Exception {
        process.outputWriter().close();
        String said = String.join("\n", process.errorReader().lines().toList());
        assertThat(process.waitFor()).isZero();
        return said;
    }

    private long builds() throws IOException {
        Path noted = checkout.resolve("builds");
        return Files.exists(noted) ? Files.readAllLines(noted).size() : 0;
    }
}
