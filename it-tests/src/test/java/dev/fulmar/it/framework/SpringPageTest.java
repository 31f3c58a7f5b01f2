package dev.fulmar.it.framework;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.experiment.ServerProcess;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program of docs/SPRING.md compiles, and prints what the page says, with frameworks and nothing of Fulmar. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class SpringPageTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern BLOCK = Pattern.compile("^```(\\w*)\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern DEPENDENCY = Pattern.compile(
            "<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>\\s*<version>([^<]+)</version>");
    private static final String ADDRESS = "127.0.0.1:5432";

    /** Classes of the build, and the logging that its own processes have. */
    private static final Pattern OF_FULMAR = Pattern.compile(".*/(fulmar|logback)-[^/]*\\.jar");

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    private record Block(String language, String text) {}

    private static List<Block> blocks() throws IOException {
        Matcher found = BLOCK.matcher(Files.readString(ROOT.resolve("docs/SPRING.md")));
        List<Block> blocks = new ArrayList<>();
        while (found.find()) {
            blocks.add(new Block(found.group(1), found.group(2)));
        }
        return blocks;
    }

    private static String only(List<Block> blocks, String language) {
        return blocks.stream()
                .filter(block -> block.language().equals(language))
                .map(Block::text)
                .collect(Collectors.joining());
    }

    /** A part of the page that is a whole class has a package. */
    private static boolean isClass(Block block) {
        return block.text().startsWith("package ");
    }

    /** The parts one behind another in a main method, and the imports of all of them before it. */
    private static String program(List<Block> blocks) {
        StringBuilder imports = new StringBuilder();
        StringBuilder body = new StringBuilder();
        for (Block block : blocks) {
            if (block.language().equals("java") && !isClass(block)) {
                block.text()
                        .lines()
                        .forEach(line -> (line.startsWith("import ") ? imports : body)
                                .append(line)
                                .append('\n'));
            }
        }
        return imports + "public class Tour {\npublic static void main(String[] arguments) throws Exception {\n" + body
                + "}\n}\n";
    }

    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry ->
                        entry.endsWith(".jar") && !OF_FULMAR.matcher(entry).matches())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private void compile(List<Path> sources) {
        List<String> arguments =
                new ArrayList<>(List.of("-proc:none", "-Werror", "-cp", classPath(), "-d", folder.toString()));
        sources.forEach(source -> arguments.add(source.toString()));
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
    }

    private String run() throws IOException, InterruptedException {
        Path errors = folder.resolve("errors.txt");
        Process program = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        folder + File.pathSeparator + classPath(),
                        "Tour"))
                .redirectError(errors.toFile())
                .start();
        String output = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(program.waitFor()).as(output + Files.readString(errors)).isZero();
        return output;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** The command of the page by a process of its own; the page has another port and folder. */
    private ServerProcess node(List<String> session, int postgres) throws IOException {
        String command = session.getFirst();
        assertThat(command).startsWith("$ bin/fulmar start ");
        List<String> options = new ArrayList<>(
                List.of(command.substring("$ bin/fulmar start ".length()).split(" ", -1)));
        options.addAll(List.of("--postgres", "127.0.0.1:" + postgres));
        Path data = folder.resolve("data");
        List<String> said = new ArrayList<>();
        ServerProcess node = ServerProcess.start(data, List.of("-Xmx512m"), said::add, options.toArray(String[]::new));
        assertThat(said.getLast()
                        .replace(data.toString(), "fulmar-data")
                        .replace("port " + node.port(), "port 7420")
                        .replaceFirst("on [0-9]+ sites", "on 1 sites")) // as many as there are cores
                .isEqualTo(session.getLast());
        return node;
    }

    @Test
    void theProgramCompilesAndPrintsWhatThePageSays() throws Exception {
        List<Block> blocks = blocks();
        List<String> session = blocks.getFirst().text().lines().toList();
        List<Block> rest = blocks.subList(1, blocks.size());
        int port = freePort();
        List<Path> sources = new ArrayList<>();
        String program = program(rest);
        assertThat(program).containsOnlyOnce(ADDRESS);
        sources.add(Files.writeString(folder.resolve("Tour.java"), program.replace(ADDRESS, "127.0.0.1:" + port)));
        for (Block block : rest) {
            if (isClass(block)) {
                Matcher name = Pattern.compile("public class (\\w+)").matcher(block.text());
                assertThat(name.find()).isTrue();
                sources.add(Files.writeString(folder.resolve(name.group(1) + ".java"), block.text()));
            }
        }
        compile(sources);
        try (ServerProcess _ = node(session, port)) {
            assertThat(run()).isEqualTo(only(rest, ""));
        }
    }

    @Test
    void theVersionsAreThoseThatTheBuildTests() throws IOException {
        String build = Files.readString(ROOT.resolve("pom.xml"));
        Matcher dependency = DEPENDENCY.matcher(only(blocks(), "xml"));
        int count = 0;
        while (dependency.find()) {
            assertThat(build)
                    .containsPattern("<groupId>" + dependency.group(1) + "</groupId>\\s*<artifactId>"
                            + dependency.group(2) + "</artifactId>\\s*<version>" + dependency.group(3) + "</version>");
            count++;
        }
        assertThat(count).isEqualTo(4);
    }

    /** Another language would be a part of the page that nothing checks. */
    @Test
    void eachPartOfThePageIsChecked() throws IOException {
        assertThat(blocks()).extracting(Block::language).containsOnly("", "xml", "java");
    }
}
