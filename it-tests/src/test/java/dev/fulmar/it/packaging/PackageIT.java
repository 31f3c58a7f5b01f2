package dev.fulmar.it.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The archive that {@code bin/package} makes, unpacked, started, used and stopped. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class PackageIT {
    private static final Pattern READY = Pattern.compile("fulmar is ready on port (\\d+) .*");

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    @Test
    void theArchiveRunsWithoutTheCheckout() throws Exception {
        Path checkout = Path.of("..").toAbsolutePath().normalize();
        Path archive = Path.of(run(List.of(checkout.resolve("bin/package").toString(), folder.toString()))
                .getLast());
        run(List.of("tar", "--directory", folder.toString(), "--extract", "--file", archive.toString()));
        Path home = folder.resolve(archive.getFileName().toString().replace(".tar.gz", ""));
        String fulmar = home.resolve("bin/fulmar").toString();
        onlyListedJarsAreShipped(checkout.resolve("bin/components").toString(), home);
        assertThat(run(List.of(fulmar, "--version")).getFirst())
                .isEqualTo("fulmar " + Files.readString(home.resolve("VERSION")).strip());
        preparedStartsSayNoMore(fulmar, home);

        Process node = start(List.of(
                fulmar,
                "start",
                "--listen",
                "127.0.0.1:0",
                "--partitions",
                "2",
                "--set",
                "memory.limit=64m",
                "--data",
                folder.resolve("data").toString()));
        try (BufferedReader output = node.inputReader()) {
            String host = "127.0.0.1:" + port(output);
            run(List.of(
                    fulmar,
                    "sql",
                    "--host",
                    host,
                    "-e",
                    "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY); INSERT INTO t VALUES (42);"));
            assertThat(run(List.of(fulmar, "sql", "--host", host, "-e", "SELECT id FROM t;")))
                    .anyMatch(line -> line.strip().equals("42"));
            run(List.of(fulmar, "stop", "--host", host));
            assertThat(node.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(node.exitValue()).isZero();
        } finally {
            node.destroyForcibly();
        }
    }

    /** The JVM uses the file, which one that is asked to insist on it tells; and without it all runs as before. */
    private static void preparedStartsSayNoMore(String fulmar, Path home) throws Exception {
        List<String> plain = run(List.of(fulmar, "--version"));
        run(List.of(fulmar, "prepare", "--rounds", "2"));
        Path learnt = home.resolve("fulmar.aot");
        assertThat(learnt).isNotEmptyFile();
        assertThat(run(List.of(fulmar, "--version"))).isEqualTo(plain);
        assertThat(run(List.of("env", "FULMAR_JAVA_OPTS=-XX:AOTMode=on", fulmar, "--version")))
                .isEqualTo(plain);
        run(List.of(fulmar, "prepare", "--help"));
        assertThat(run(List.of("env", "FULMAR_JAVA_OPTS=-Xshare:off", fulmar, "--version")))
                .isEqualTo(plain);
        byte[] damaged = Files.readAllBytes(learnt);
        Arrays.fill(damaged, damaged.length / 2, damaged.length / 2 + 100, (byte) 0x5a);
        Files.delete(learnt);
        Files.write(learnt, damaged);
        assertThat(run(List.of(fulmar, "--version"))).as("a damaged file").isEqualTo(plain);
        Files.write(learnt, new byte[1], StandardOpenOption.TRUNCATE_EXISTING);
        assertThat(run(List.of(fulmar, "--version"))).as("a file that was cut").isEqualTo(plain);
        Files.delete(learnt);
        run(List.of(fulmar, "prepare", "--rounds", "2"));
    }

    private static void onlyListedJarsAreShipped(String components, Path home) throws Exception {
        assertThat(Files.readString(home.resolve("components.json"))).contains("CycloneDX", "netty-buffer");
        Path netty;
        try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
            netty = jars.filter(jar -> jar.getFileName().toString().startsWith("netty-buffer"))
                    .findFirst()
                    .orElseThrow();
        }
        Path others = Files.createDirectory(home.resolveSibling("others"));
        Path changed = Files.copy(netty, others.resolve(netty.getFileName()));
        List<String> check = List.of(components, "check", others.toString());
        run(check);
        Files.write(changed, new byte[1], StandardOpenOption.APPEND);
        Process refused = start(check);
        assertThat(new String(refused.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains(netty.getFileName() + " is not in");
        assertThat(refused.waitFor()).isEqualTo(1);
    }

    private static int port(BufferedReader output) throws IOException {
        List<String> read = new ArrayList<>();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            read.add(line);
            Matcher ready = READY.matcher(line);
            if (ready.matches()) {
                return Integer.parseInt(ready.group(1));
            }
        }
        throw new AssertionError("the node ended: " + read);
    }

    private static Process start(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("FULMAR_NO_BUILD", "1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder.start();
    }

    private static List<String> run(List<String> command) throws IOException, InterruptedException {
        Process process = start(command);
        try (BufferedReader output = process.inputReader()) {
            List<String> lines = output.readAllLines();
            assertThat(process.waitFor()).as("%s: %s", command, lines).isZero();
            return lines;
        }
    }
}
