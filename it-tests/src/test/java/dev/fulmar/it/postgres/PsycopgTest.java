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

/** The drivers of Python, 3 and 2, and SQLAlchemy over them, where they are installed. */
class PsycopgTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    @TestFactory
    List<DynamicTest> psycopg3() throws IOException, InterruptedException {
        return checks("psycopg", "psycopg3-checks.py");
    }

    @TestFactory
    List<DynamicTest> psycopg2() throws IOException, InterruptedException {
        return checks("psycopg2", "psycopg2-checks.py");
    }

    @TestFactory
    List<DynamicTest> sqlAlchemy() throws IOException, InterruptedException {
        return checks("sqlalchemy", "sqlalchemy-checks.py");
    }

    private List<DynamicTest> checks(String module, String program) throws IOException, InterruptedException {
        Optional<String> python = python(module);
        assumeTrue(
                python.isPresent(),
                "no Python with " + module + " is here; .ci/run installs it into "
                        + ClientChecks.directory().resolve("python"));
        ClientChecks.copy("checks.py", directory);
        Path file = ClientChecks.copy(program, directory);
        return ClientChecks.run(List.of(python.orElseThrow(), file.toString()), Map.of(), directory);
    }

    private Optional<String> python(String module) throws IOException, InterruptedException {
        Path installed = ClientChecks.directory().resolve("python/bin/python");
        List<Optional<Path>> candidates = List.of(
                Files.isExecutable(installed) ? Optional.of(installed) : Optional.empty(), ToolRun.find("python3"));
        for (Optional<Path> candidate : candidates) {
            if (candidate.isPresent()) {
                String path = candidate.get().toString();
                if (ToolRun.of(List.of(path, "-c", "import " + module), Map.of(), directory, LIMIT)
                                .status()
                        == 0) {
                    return Optional.of(path);
                }
            }
        }
        return Optional.empty();
    }
}
