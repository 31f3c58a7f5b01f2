package dev.fulmar.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import dev.fulmar.procedure.Procedure;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The SQL session and the procedure of README.md's tour say what is printed there, to the letter. */
@Timeout(120)
class ReadmeTourTest {
    private static final Pattern PROMPT = Pattern.compile("fulmar\\*?> (.*)");
    private static final String JAR = "target/loyalty-procedures-1.jar";
    private static final String CLASS = "com/example/loyalty/AddPoints";

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    private static String block(String begin, String language) throws IOException {
        String readme = Files.readString(Path.of("..", "README.md"));
        Matcher found = Pattern.compile("```" + language + "\n(" + Pattern.quote(begin) + ".*?)```", Pattern.DOTALL)
                .matcher(readme);
        assertThat(found.find())
                .as("README.md has a block that begins with " + begin)
                .isTrue();
        return found.group(1);
    }

    private String run(FulmarNode node, String script) throws IOException {
        Path file = Files.writeString(folder.resolve("script.sql"), script);
        StringWriter out = new StringWriter();
        Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out))
                .execute("sql", "--host", "127.0.0.1:" + node.port(), "--continue-on-error", "-f", file.toString());
        return out.toString();
    }

    private void makeJar() throws IOException, URISyntaxException {
        Path source =
                Files.writeString(folder.resolve("AddPoints.java"), block("package com.example.loyalty;", "java"));
        Path api = Path.of(Procedure.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        int status = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-cp", api.toString(), "-d", folder.toString(), source.toString());
        assertThat(status).isZero();
        try (OutputStream file = Files.newOutputStream(folder.resolve("points.jar"));
                JarOutputStream jar = new JarOutputStream(file)) {
            jar.putNextEntry(new JarEntry(CLASS + ".class"));
            jar.write(Files.readAllBytes(folder.resolve(CLASS + ".class")));
        }
    }

    @Test
    void theSessionAndTheProcedureSayWhatIsPrinted() throws Exception {
        NodeConfiguration configuration = NodeConfiguration.of(Map.of(
                "listen", "127.0.0.1:0",
                "partitions", "4",
                "memory.limit", "64m",
                "data", folder.resolve("data").toString()));
        try (FulmarNode node = FulmarNode.start(configuration)) {
            List<String> session = block("$ bin/fulmar sql", "").lines().skip(1).toList();
            StringBuilder statements = new StringBuilder();
            StringBuilder printed = new StringBuilder();
            for (String line : session) {
                Matcher typed = PROMPT.matcher(line);
                if (typed.matches()) {
                    statements.append(typed.group(1)).append('\n');
                } else {
                    printed.append(line).append('\n');
                }
            }
            assertThat(run(node, statements.toString())).isEqualTo(printed.toString());

            makeJar();
            String script = block("CREATE TABLE members", "");
            assertThat(script).contains(JAR);
            String loyal = script.replace(JAR, folder.resolve("points.jar").toString());
            assertThat(run(node, loyal + "EXEC AddPoints 2, 5;\n"))
                    .startsWith("(done)\n(1)\n(done)\n(done)\n(15)\nerror P0004")
                    .contains("exactly one row but yielded 0 rows");
        }
    }
}
