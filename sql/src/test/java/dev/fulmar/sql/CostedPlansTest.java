package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.engine.spi.Statistics;
import dev.fulmar.engine.spi.Statistics.KeyValues;
import dev.fulmar.engine.spi.Statistics.TableFigures;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.explain.PlanPrinter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans by what is known of the tables. */
class CostedPlansTest {
    private static final String SHOP = """
            CREATE TABLE sales (id INTEGER NOT NULL PRIMARY KEY, item INTEGER, place INTEGER, state INTEGER);
            PARTITION TABLE sales ON COLUMN id;
            CREATE INDEX sales_state ON sales (state);
            CREATE INDEX sales_place ON sales (place);
            CREATE TABLE items (item INTEGER NOT NULL, grp INTEGER, name VARCHAR(20));
            CREATE TABLE groups (grp INTEGER NOT NULL, name VARCHAR(20));
            CREATE TABLE names (item INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20));
            """;

    private final SqlCompiler compiler = new SqlCompiler();
    private final Catalog shop = CatalogFixture.of(compiler, SHOP);

    private Statistics shop(long sales, long items, long groups) {
        SortedMap<Integer, TableFigures> tables = new TreeMap<>();
        tables.put(
                shop.table("SALES").id(),
                new TableFigures(
                        sales,
                        List.of(
                                new KeyValues(List.of(0), sales),
                                new KeyValues(List.of(1), items),
                                new KeyValues(List.of(2), 5_000),
                                new KeyValues(List.of(3), 4))));
        tables.put(
                shop.table("ITEMS").id(),
                new TableFigures(items, List.of(new KeyValues(List.of(0), items), new KeyValues(List.of(1), groups))));
        tables.put(
                shop.table("GROUPS").id(),
                new TableFigures(
                        groups, List.of(new KeyValues(List.of(0), groups), new KeyValues(List.of(1), groups))));
        tables.put(shop.table("NAMES").id(), new TableFigures(items, List.of()));
        return new Statistics(tables);
    }

    private List<String> explain(String statement, Statistics statistics) {
        return ((SqlFrontend.Compiled.Explanation) compiler.compile("EXPLAIN " + statement, shop, statistics)).lines();
    }

    private static int line(List<String> lines, String text) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(text)) {
                return i;
            }
        }
        throw new AssertionError(text + " is not in " + lines);
    }

    @Test
    void keepsTheSmallerSideOfAJoin() {
        String query = "SELECT COUNT(*) FROM items i JOIN groups g ON i.grp = g.grp";
        List<String> few = explain(query, shop(1, 100_000, 10));
        assertThat(line(few, "scan GROUPS")).isGreaterThan(line(few, "scan ITEMS"));
        List<String> many = explain(query, shop(1, 10, 100_000));
        assertThat(line(many, "scan GROUPS")).isLessThan(line(many, "scan ITEMS"));
    }

    @Test
    void beginsWithWhatLeavesFewRows() {
        String query = "SELECT COUNT(*) FROM sales s, items i, groups g"
                + " WHERE s.item = i.item AND i.grp = g.grp AND g.name = 'x'";
        assertThat(explain(query, shop(100_000, 1_000, 10)))
                .anySatisfy(line ->
                        assertThat(line).contains("hash join INNER ITEM = ITEM").contains("[about 10000 rows]"));
        assertThat(explain(query, shop(100_000, 1_000, 10)))
                .anySatisfy(line ->
                        assertThat(line).contains("hash join INNER GRP = GRP").contains("[about 100 rows]"));
    }

    @Test
    void takesTheIndexThatFindsTheFewestRows() {
        String query = "SELECT id FROM sales WHERE state = 1 AND place = 7";
        assertThat(explain(query, Statistics.NONE))
                .anySatisfy(line -> assertThat(line).contains("SALES_STATE"));
        assertThat(explain(query, shop(100_000, 1, 1)))
                .anySatisfy(line -> assertThat(line)
                        .contains("index scan SALES by SALES_PLACE")
                        .contains("[about 5 rows]"));
    }

    @Test
    void followsTheWantedOrderAllTheSame() {
        String query = "SELECT s.id, n.name FROM sales s, names n WHERE s.item = n.item ORDER BY s.id LIMIT 5";
        List<String> before = explain(query, Statistics.NONE);
        List<String> after = explain(query, shop(100_000, 1_000, 10));
        assertThat(before).anyMatch(line -> line.contains("index scan SALES by SALES_PK_ORDERED"));
        assertThat(after).isNotEqualTo(before);
        assertThat(after.stream().map(line -> line.replaceAll(" \\[about.*", "")))
                .isEqualTo(before);
    }

    @Test
    void doesNotWeighSmallTables() {
        String query = "SELECT COUNT(*) FROM items i JOIN groups g ON i.grp = g.grp";
        assertThat(explain(query, shop(1_000_000, 999, 10))).isEqualTo(explain(query, Statistics.NONE));
    }

    @Test
    void doesNotWeighWhileATableIsUnknown() {
        String query = "SELECT COUNT(*) FROM items i JOIN groups g ON i.grp = g.grp";
        Statistics some = shop(1, 100_000, 10).of(List.of(shop.table("ITEMS").id()));
        assertThat(explain(query, some)).isEqualTo(explain(query, Statistics.NONE));
    }

    @Test
    void tellsWhatAPlanDependsOn() {
        assertThat(weighed("SELECT COUNT(*) FROM items i JOIN groups g ON i.grp = g.grp"))
                .containsExactly(shop.table("ITEMS").id(), shop.table("GROUPS").id());
        assertThat(weighed("SELECT id FROM sales WHERE state = 1 AND place = 7"))
                .hasSize(1);
        assertThat(weighed("SELECT * FROM sales WHERE id = ?")).isEmpty();
        assertThat(weighed("SELECT COUNT(*) FROM sales")).isEmpty();
        assertThat(weighed("INSERT INTO groups SELECT i.grp, i.name FROM items i, groups g WHERE i.grp = g.grp"))
                .isEmpty();
    }

    private Iterable<Integer> weighed(String statement) {
        return ((SqlFrontend.Compiled.Runnable) compiler.compile(statement, shop)).weighed();
    }

    /**
     * Whatever is known, a plan is sound, the same with equal statistics, and, if it weighs nothing or writes, the one
     * that it is with none.
     */
    @ParameterizedTest
    @ValueSource(strings = {"peers", "tpcc", "workloads", "dialect", "partial", "computed"})
    void makesSoundPlansOfAnyStatistics(String suite) throws IOException {
        Catalog catalog = CatalogFixture.of(compiler, PlanFiles.resource(suite + ".ddl"));
        Random random = new Random(7);
        for (PlanFiles.Block block : PlanFiles.blocks(suite)) {
            SqlFrontend.Compiled.Runnable usual = runnable(block.statement(), catalog, Statistics.NONE);
            if (usual == null) {
                continue;
            }
            for (int i = 0; i < 4; i++) {
                Statistics drawn = drawn(catalog, random);
                SqlFrontend.Compiled.Runnable weighed = runnable(block.statement(), catalog, drawn);
                assertThat(weighed).as(block.statement()).isNotNull();
                PlanInvariants.check(weighed.plan(), catalog);
                assertThat(weighed.weighed()).as(block.statement()).isEqualTo(usual.weighed());
                SqlFrontend.Compiled.Runnable again = runnable(block.statement(), catalog, drawn.of(usual.weighed()));
                assertThat(again).isNotNull();
                assertThat(lines(again, catalog)).as(block.statement()).isEqualTo(lines(weighed, catalog));
                if (usual.weighed().isEmpty() || !usual.plan().isReadOnly()) {
                    assertThat(lines(weighed, catalog)).as(block.statement()).isEqualTo(lines(usual, catalog));
                }
            }
        }
    }

    private static List<String> lines(SqlFrontend.Compiled.Runnable runnable, Catalog catalog) {
        return PlanPrinter.print(runnable.plan(), catalog);
    }

    private SqlFrontend.Compiled.@Nullable Runnable runnable(String statement, Catalog catalog, Statistics statistics) {
        try {
            return compiler.compile(statement, catalog, statistics) instanceof SqlFrontend.Compiled.Runnable runnable
                    ? runnable
                    : null;
        } catch (FulmarException e) {
            return null;
        }
    }

    private static Statistics drawn(Catalog catalog, Random random) {
        SortedMap<Integer, TableFigures> tables = new TreeMap<>();
        for (Table table : catalog.tables().values()) {
            long rows = 1L << random.nextInt(24);
            List<KeyValues> keys = new ArrayList<>();
            for (int column = 0; column < table.columns().size(); column++) {
                keys.add(new KeyValues(List.of(column), 1 + random.nextLong(rows)));
            }
            tables.put(table.id(), new TableFigures(rows, keys));
        }
        return new Statistics(tables);
    }
}
