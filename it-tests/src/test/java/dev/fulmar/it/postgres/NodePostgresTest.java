package dev.fulmar.it.postgres;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The driver of Node.js, where it is installed. */
class NodePostgresTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    @TestFactory
    List<DynamicTest> nodePostgres() throws IOException, InterruptedException {
        Optional<Path> node = ToolRun.find("node");
        Path modules = ClientChecks.directory().resolve("node/node_modules");
        assumeTrue(node.isPresent(), "Node.js is not installed");
        String command = node.orElseThrow().toString();
        Map<String, String> environment = Map.of("NODE_PATH", modules.toString());
        ToolRun required = ToolRun.of(List.of(command, "-e", "require('pg')"), environment, directory, LIMIT);
        assumeTrue(required.status() == 0, "node-postgres is not here; .ci/run installs it: " + modules);
        Path program = ClientChecks.copy("node-postgres-checks.js", directory);
        return ClientChecks.run(List.of(command, program.toString()), environment, directory);
    }
}
