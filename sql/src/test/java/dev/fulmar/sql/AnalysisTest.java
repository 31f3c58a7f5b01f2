package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What EXPLAIN ANALYZE runs is the query, and every operator of it has a line that shows what it did. */
class AnalysisTest {
    private static final Set<String> NO_OPERATORS =
            Set.of("result: ", "a snapshot", "fragment ", "merge", "one partition");

    private final SqlCompiler compiler = new SqlCompiler();

    @Test
    void everyPlanOfTheSuitesCanBeAnalysed() throws Exception {
        int analysed = 0;
        for (String suite : List.of("peers", "tpcc", "workloads", "dialect", "partial")) {
            Catalog catalog = CatalogFixture.of(compiler, PlanFiles.resource(suite + ".ddl"));
            for (PlanFiles.Block block : PlanFiles.blocks(suite)) {
                Optional<StatementPlan> plan = queryOf(block.statement(), catalog);
                if (plan.isPresent()) {
                    StatementPlan analysis = runnable("EXPLAIN ANALYZE " + block.statement(), catalog);
                    PlanInvariants.check(analysis, catalog);
                    check(plan.get(), analysis);
                    analysed++;
                }
            }
        }
        assertThat(analysed).isGreaterThan(50);
    }

    private Optional<StatementPlan> queryOf(String statement, Catalog catalog) {
        try {
            return compiler.compile(statement, catalog)
                            instanceof SqlFrontend.Compiled.Runnable(StatementPlan plan, var _)
                    ? Optional.of(plan).filter(StatementPlan::isReadOnly)
                    : Optional.empty();
        } catch (FulmarException e) {
            return Optional.empty();
        }
    }

    private StatementPlan runnable(String statement, Catalog catalog) {
        return ((SqlFrontend.Compiled.Runnable) compiler.compile(statement, catalog)).plan();
    }

    private static void check(StatementPlan plan, StatementPlan analysis) {
        assertThat(analysis.isReadOnly()).isTrue();
        assertThat(analysis.parameters()).isEqualTo(plan.parameters());
        for (int i = 0; i < plan.fragments().size(); i++) {
            assertThat(analysis.fragments().get(i).scope())
                    .isEqualTo(plan.fragments().get(i).scope());
        }
        Relation told = analysis.merge()
                .orElseGet(
                        () -> ((Operation.Query) analysis.fragments().getFirst().operation()).relation());
        List<Relation.Line> lines = new ArrayList<>(((Relation.Annotated) told).lines());
        analysis.onOnePartition().ifPresent(one -> lines.addAll(((Relation.Annotated) one).lines()));
        Set<List<Integer>> shown = new HashSet<>();
        for (Relation.Line line : lines) {
            boolean isOperator = NO_OPERATORS.stream().noneMatch(line.text().strip()::startsWith);
            assertThat(line.part() >= 0).as(line.text()).isEqualTo(isOperator);
            if (isOperator) {
                assertThat(shown.add(List.of(line.part(), line.operator()))).isTrue();
            }
        }
    }

    @Test
    void theExplanationsLinesAreTheSame() {
        Catalog catalog = CatalogFixture.of(
                compiler, "CREATE TABLE T (A INTEGER NOT NULL PRIMARY KEY, B INTEGER); PARTITION TABLE T ON COLUMN A;");
        String query = "SELECT B, COUNT(*) FROM T WHERE A > 5 GROUP BY B ORDER BY 2 DESC LIMIT 3";
        List<String> lines = ((SqlFrontend.Compiled.Explanation) compiler.compile("EXPLAIN " + query, catalog)).lines();
        StatementPlan analysis = runnable("EXPLAIN ANALYZE " + query, catalog);
        assertThat(((Relation.Annotated) analysis.merge().orElseThrow()).lines())
                .extracting(Relation.Line::text)
                .isEqualTo(lines.subList(0, lines.indexOf("or, where one partition has all of these")));
    }

    @Test
    void onlyQueriesAreAnalysed() {
        Catalog catalog = CatalogFixture.of(compiler, "CREATE TABLE T (A INTEGER NOT NULL PRIMARY KEY);");
        for (String statement : List.of("DELETE FROM T", "CREATE TABLE S (A INTEGER)", "INSERT INTO T VALUES (1)")) {
            assertThatThrownBy(() -> compiler.compile("EXPLAIN ANALYZE " + statement, catalog))
                    .isInstanceOfSatisfying(
                            FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED))
                    .hasMessageContaining("queries only");
        }
    }
}
