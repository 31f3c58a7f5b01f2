package dev.fulmar.it.postgres;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The driver of Node.js, where it is installed. */
class NodePostgresTest {
    @TempDir
    private Path directory;

    @TestFactory
    List<DynamicTest> nodePostgres() throws IOException, InterruptedException {
        Optional<Path> node = ToolRun.find("node");
        Path modules = ClientChecks.directory().resolve("node/node_modules");
        assumeTrue(node.isPresent(), "Node.js is not installed");
        assumeTrue(
                Files.isDirectory(modules.resolve("pg")), "node-postgres is not here; .ci/run installs it: " + modules);
        Path program = ClientChecks.copy("node-postgres-checks.js", directory);
        return ClientChecks.run(
                List.of(node.orElseThrow().toString(), program.toString()),
                Map.of("NODE_PATH", modules.toString()),
                directory);
    }
}
