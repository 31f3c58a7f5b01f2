package dev.fulmar.it.postgres;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The driver of Go, where it is installed. */
class PgxTest {
    private static final Duration LIMIT = Duration.ofMinutes(3);

    @TempDir
    private Path directory;

    @TestFactory
    List<DynamicTest> pgx() throws IOException, InterruptedException {
        Optional<Path> go = ToolRun.find("go");
        Path modules = ClientChecks.directory().resolve("go");
        assumeTrue(go.isPresent(), "Go is not installed");
        assumeTrue(
                Files.exists(ClientChecks.directory().resolve("go.ready")),
                "pgx is not here or cannot be built; .ci/run gets it: " + modules);
        for (String file : List.of("main.go", "go.mod", "go.sum")) {
            ClientChecks.copy("pgx/" + file, directory);
        }
        Map<String, String> environment = Map.of(
                "GOPATH", modules.toString(),
                "GOCACHE", modules.resolve("cache").toString(),
                "GOPROXY", "off",
                "GOTOOLCHAIN", "local",
                "GOFLAGS", "-modcacherw",
                "CGO_ENABLED", "0");
        Path program = directory.resolve("checks");
        ToolRun built = ToolRun.of(
                List.of(go.orElseThrow().toString(), "build", "-o", program.toString(), "."),
                environment,
                directory,
                LIMIT);
        if (built.status() != 0) {
            throw new AssertionError(built.output());
        }
        return ClientChecks.run(List.of(program.toString()), environment, directory);
    }
}
