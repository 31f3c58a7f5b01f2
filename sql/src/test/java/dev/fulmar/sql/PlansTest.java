package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Statements and the plans that they must get, from {@code plans/NAME.plans}, with the tables of
 * {@code plans/NAME.ddl}. To see what changed, and to record it after a look, run with
 * {@code -Dfulmar.plans.record=DIRECTORY}.
 */
class PlansTest {
    private static final List<String> SUITES =
            List.of("peers", "tpcc", "workloads", "dialect", "partial", "computed", "char", "rows");

    private final SqlCompiler compiler = new SqlCompiler();

    @TestFactory
    Stream<DynamicTest> plans() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (String suite : SUITES) {
            Catalog catalog = CatalogFixture.of(compiler, PlanFiles.resource(suite + ".ddl"));
            List<String> record = new ArrayList<>();
            for (PlanFiles.Block block : PlanFiles.blocks(suite)) {
                List<String> actual = explain(block.statement(), catalog);
                record.add("> " + block.statement() + "\n" + String.join("\n", actual) + "\n");
                tests.add(
                        DynamicTest.dynamicTest(suite + ": " + block.statement(), () -> check(block, actual, catalog)));
            }
            record(suite, String.join("\n", record));
        }
        return tests.stream();
    }

    private void check(PlanFiles.Block block, List<String> actual, Catalog catalog) {
        assertThat(String.join("\n", actual)).isEqualTo(String.join("\n", block.expected()));
        try {
            if (compiler.compile(block.statement(), catalog) instanceof SqlFrontend.Compiled.Runnable runnable) {
                PlanInvariants.check(runnable.plan(), catalog);
            }
        } catch (FulmarException e) {
            assertThat(actual.getFirst()).startsWith(e.code().name());
        }
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
}
