package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.fulmar.it.sql.SmallNode;
import dev.fulmar.node.wiring.FulmarNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DynamicTest;

/**
 * The checks of a program that uses a driver, against a node. The program prints a line for each, as TAP has them: "ok
 * - name", "not ok - name: reason", and at the end their number, "1..n".
 */
final class ClientChecks {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final String PASSED = "ok - ";
    private static final String FAILED = "not ok - ";

    private ClientChecks() {}

    /** Directory of drivers that {@code .ci/run} installs. */
    static Path directory() {
        return Optional.ofNullable(System.getenv("FULMAR_CLIENTS"))
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache", "fulmar-clients"));
    }

    /** Copies a file of the resources into the directory. */
    static Path copy(String resource, Path directory) throws IOException {
        Path file = directory.resolve(Path.of(resource).getFileName());
        try (InputStream content = ClientChecks.class.getResourceAsStream("/clients/" + resource)) {
            assertThat(content).as(resource).isNotNull();
            Files.copy(content, file);
        }
        return file;
    }

    /** Runs the program, whose last argument is the node's port. */
    static List<DynamicTest> run(List<String> program, Map<String, String> environment, Path directory)
            throws IOException, InterruptedException {
        try (FulmarNode node = SmallNode.start(2, Map.of("memory.limit", "512m"))) {
            List<String> command = new ArrayList<>(program);
            command.add(Integer.toString(node.postgresAddress().orElseThrow().port()));
            return outcomes(ToolRun.of(command, environment, directory, LIMIT));
        }
    }

    private static List<DynamicTest> outcomes(ToolRun run) {
        List<DynamicTest> tests = new ArrayList<>();
        for (String line : run.output().lines().toList()) {
            if (line.startsWith(PASSED)) {
                tests.add(dynamicTest(line.substring(PASSED.length()), () -> {}));
            } else if (line.startsWith(FAILED)) {
                tests.add(dynamicTest(line.substring(FAILED.length()).split(":", 2)[0], () -> {
                    throw new AssertionError(line);
                }));
            }
        }
        int count = tests.size();
        tests.add(dynamicTest(
                "has run to its end",
                () -> assertThat(run.output().lines().toList()).as(run.output()).contains("1.." + count)));
        return tests;
    }
}
