package dev.fulmar.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program of docs/CLIENT.md compiles against the jars that the page names, and says what the page says. */
@Timeout(120)
class ClientPageTest {
    /** Without Maven: these and no others. */
    private static final Pattern NAMED = Pattern.compile(
            ".*/(fulmar-)?(client|wire|foundation)(-[0-9][^/]*\\.jar|/target/classes/?|/target/[^/]*\\.jar)"
                    + "|.*/(netty-|jctools-core|protobuf-java|slf4j-api)[^/]*\\.jar");

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    private static String block(String language) throws IOException {
        Matcher found = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("..", "docs", "CLIENT.md")));
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> NAMED.matcher(entry).matches())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private String run(String classPath, int port) throws IOException, InterruptedException {
        Process program = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        folder + File.pathSeparator + classPath,
                        "Shop",
                        "127.0.0.1:" + port))
                .redirectErrorStream(true)
                .start();
        String output = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(program.waitFor()).as(output).isZero();
        return output;
    }

    @Test
    void theProgramCompilesAndRunsWithTheJarsThatAreNamed() throws Exception {
        String classPath = classPath();
        Path source = Files.writeString(folder.resolve("Shop.java"), block("java"));
        int status = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-cp", classPath, "-d", folder.toString(), source.toString());
        assertThat(status).isZero();
        NodeConfiguration configuration = NodeConfiguration.of(Map.of(
                "listen", "127.0.0.1:0",
                "partitions", "2",
                "memory.limit", "64m",
                "data", folder.resolve("data").toString()));
        try (FulmarNode node = FulmarNode.start(configuration)) {
            List<String> lines = run(classPath, node.port())
                    .lines()
                    .filter(line -> !line.startsWith("SLF4J"))
                    .toList();
            assertThat(lines).containsExactly("lamp costs 19.90", "cup costs 4.50");
            try (FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
                assertThat(client.execute("SELECT COUNT(*) FROM item")
                                .table()
                                .first()
                                .getLong(0))
                        .isEqualTo(2);
            }
        }
    }

    @Test
    void theCoordinatesAreThoseOfTheModule() throws IOException {
        String module = Files.readString(Path.of("..", "client", "pom.xml"));
        String page = block("xml");
        for (String tag : List.of("groupId>dev.fulmar<", "version>0.1.0-SNAPSHOT<", "artifactId>fulmar-client<")) {
            assertThat(module).contains(tag);
            assertThat(page).contains(tag);
        }
    }
}
