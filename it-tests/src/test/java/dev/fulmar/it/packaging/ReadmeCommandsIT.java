package dev.fulmar.it.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of README.md's tour, run by a shell to the letter. Two things differ: the node's port is one that is
 * free, and commands that take minutes are asked for their help. The launcher's ReadmeTourTest checks the output of the
 * SQL session and the procedure.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class ReadmeCommandsIT {
    private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
    private static final List<String> LINKED = List.of("bin", "launcher");
    private static final Pattern NUMBER = Pattern.compile("\\d[\\d,.]*");
    private static final Pattern FULMAR = Pattern.compile("^bin/fulmar (\\S+)(?: ([a-z]\\S*))?.*$", Pattern.MULTILINE);

    /** Looks like a checkout to the commands; what they write is not in it. */
    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    @BeforeEach
    void linkTheCheckout() throws IOException {
        for (String name : LINKED) {
            Files.createSymbolicLink(folder.resolve(name), CHECKOUT.resolve(name));
        }
    }

    @AfterEach
    void unlinkTheCheckout() throws IOException {
        for (String name : LINKED) {
            Files.delete(folder.resolve(name));
        }
    }

    @Test
    void theDemoPrintsWhatIsPrintedThere() throws Exception {
        List<String> block = block("$ bin/fulmar demo").lines().toList();
        List<String> printed = run(block.getFirst().substring(2)).stream()
                .map(ReadmeCommandsIT::withoutNumbers)
                .toList();
        assertThat(printed)
                .containsSubsequence(block.stream()
                        .skip(1)
                        .filter(line -> !line.isBlank() && !line.contains("..."))
                        .map(ReadmeCommandsIT::withoutNumbers)
                        .toList());
    }

    @Test
    void aNodeIsStartedUsedKilledAndStoppedAsItSaysThere() throws Exception {
        List<String> start = block("$ bin/fulmar start").lines().toList();
        String startAtFreePort = start.getFirst().substring(2) + " --listen 127.0.0.1:0";
        Files.writeString(folder.resolve("AddPoints.java"), block("package com.example.loyalty;"));
        Files.writeString(folder.resolve("members.sql"), block("CREATE TABLE members"));
        run(block("mkdir -p target/classes"));

        Process first = begin(startAtFreePort);
        try (BufferedReader output = first.inputReader()) {
            String ready = readyLine(output);
            assertThat(withoutNumbers(ready)).isEqualTo(withoutNumbers(start.get(1)));
            String host = " --host 127.0.0.1:" + port(ready);
            assertThat(run("bin/fulmar sql -f members.sql" + host).getLast()).isEqualTo("(15)");
            first.destroyForcibly().waitFor(); // as hard as you like
        } finally {
            first.destroyForcibly();
        }

        Process again = begin(startAtFreePort);
        try (BufferedReader output = again.inputReader()) {
            String host = " --host 127.0.0.1:" + port(readyLine(output));
            assertThat(run("bin/fulmar sql -e 'EXEC AddPoints 1, 5;'" + host).getLast())
                    .isEqualTo("(20)");
            run("bin/fulmar backup --to backup" + host);
            run("bin/fulmar dump dumped" + host);
            assertThat(folder.resolve("dumped/schema.sql")).content().contains("MEMBERS");
            run("bin/fulmar stop" + host);
            assertThat(again.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(again.exitValue()).isZero();
        } finally {
            again.destroyForcibly();
        }
    }

    @Test
    void allOtherCommandsExist() throws Exception {
        List<String> experiments = run("bin/fulmar experiment --list");
        String commands = block("bin/fulmar bench tpcc") + block("bin/fulmar demo --nodes 3");
        List<String> asked = new ArrayList<>();
        for (Matcher found = FULMAR.matcher(commands); found.find(); ) {
            String command = found.group(1);
            if (command.equals("experiment") && found.group(2) != null) {
                assertThat(experiments).anyMatch(line -> line.startsWith(found.group(2) + " "));
            } else if (!asked.contains(command)) {
                asked.add(command);
                run("bin/fulmar " + command + " --help");
            }
        }
        assertThat(asked).contains("bench", "demo", "chaos", "simulate");
    }

    private static String block(String begin) throws IOException {
        String readme = Files.readString(CHECKOUT.resolve("README.md"));
        Matcher found = Pattern.compile("```[a-z]*\n(" + Pattern.quote(begin) + ".*?)```", Pattern.DOTALL)
                .matcher(readme);
        assertThat(found.find())
                .as("README.md has a block that begins with " + begin)
                .isTrue();
        return found.group(1);
    }

    /** How wide a column is depends on its numbers. */
    private static String withoutNumbers(String line) {
        return NUMBER.matcher(line).replaceAll("N").replaceAll(" +", " ").strip();
    }

    private static String port(String ready) {
        Matcher number = NUMBER.matcher(ready);
        assertThat(number.find()).as(ready).isTrue();
        return number.group();
    }

    private static String readyLine(BufferedReader output) throws IOException {
        List<String> read = new ArrayList<>();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith("fulmar is ready")) {
                return line;
            }
            read.add(line);
        }
        throw new AssertionError("the node ended: " + read);
    }

    private Process begin(String script) throws IOException {
        // exec: what the test kills is the node, and not the shell that began it.
        ProcessBuilder builder = new ProcessBuilder("bash", "-ec", "exec " + script)
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        setUp(builder);
        return builder.start();
    }

    private List<String> run(String script) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-ec", script)
                .directory(folder.toFile())
                .redirectErrorStream(true);
        setUp(builder);
        Process process = builder.start();
        try (Stream<String> output = process.inputReader().lines()) {
            List<String> lines = output.toList();
            assertThat(process.waitFor()).as("%s: %s", script, lines).isZero();
            return lines;
        }
    }

    private static void setUp(ProcessBuilder builder) {
        String java = System.getProperty("java.home");
        builder.environment().put("FULMAR_NO_BUILD", "1");
        builder.environment().put("JAVA_HOME", java);
        builder.environment().merge("PATH", java + "/bin", (path, own) -> own + ":" + path);
    }
}
