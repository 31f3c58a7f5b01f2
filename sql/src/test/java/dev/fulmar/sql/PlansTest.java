package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Statements and the plans that they must get. A file {@code plans/NAME.plans} has blocks, parted by empty lines: the statement behind {@code >},
 * then what EXPLAIN says; its tables are in {@code NAME.ddl}. To see what changed, or to record it after a look, run with
 * {@code -Dfulmar.plans.record=DIRECTORY}.
 */
class PlansTest {
    private static final List<String> SUITES = List.of("peers", "tpcc", "workloads", "dialect");

    private final SqlCompiler compiler = new SqlCompiler();

    @TestFactory
    Stream<DynamicTest> plans() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (String suite : SUITES) {
            Catalog catalog = CatalogFixture.of(compiler, resource(suite + ".ddl"));
            StringBuilder record = new StringBuilder();
            for (Block block : blocks(suite)) {
                List<String> actual = explain(block.statement(), catalog);
                record.append("> ").append(block.statement()).append('\n');
                record.append(String.join("\n", actual)).append("\n\n");
                tests.add(DynamicTest.dynamicTest(suite + ": " + block.statement(), () -> {
                    assertThat(String.join("\n", actual)).isEqualTo(String.join("\n", block.expected()));
                    if (compiled(block.statement(), catalog) instanceof SqlFrontend.Compiled.Runnable runnable) {
                        PlanInvariants.check(runnable.plan(), catalog);
                    }
                }));
            }
            record(suite, record.toString().stripTrailing() + "\n");
        }
        return tests.stream();
    }

    private static void record(String suite, String text) throws IOException {
        String directory = System.getProperty("fulmar.plans.record");
        if (directory != null) {
            Files.writeString(Path.of(directory, suite + ".plans"), text);
        }
    }

    private List<String> explain(String statement, Catalog catalog) {
        try {
            return ((SqlFrontend.Compiled.Explanation) compiler.compile("EXPLAIN " + statement, catalog)).lines();
        } catch (FulmarException e) {
            return List.of(e.code() + " " + e.getMessage());
        }
    }

    private SqlFrontend.@Nullable Compiled compiled(String statement, Catalog catalog) {
        try {
            return compiler.compile(statement, catalog);
        } catch (FulmarException e) {
            return null;
        }
    }

    private record Block(String statement, List<String> expected) {}

    private static List<Block> blocks(String suite) throws IOException {
        List<Block> blocks = new ArrayList<>();
        for (String text : resource(suite + ".plans").split("\n\n+")) {
            List<String> lines = text.strip().lines().toList();
            if (!lines.isEmpty()) {
                assertThat(lines.getFirst()).startsWith("> ");
                blocks.add(new Block(lines.getFirst().substring(2), lines.subList(1, lines.size())));
            }
        }
        return blocks;
    }

    private static String resource(String name) throws IOException {
        try (InputStream stream = Objects.requireNonNull(PlansTest.class.getResourceAsStream("/plans/" + name), name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
