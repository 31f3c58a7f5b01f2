package dev.fulmar.simulator.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Comments;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.View;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.spi.DraftedStatement;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.sql.SqlCompiler;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PlanCacheTest {
    private static final String TEXT = "SELECT 1 + 1";
    private static final String CHANGE = "CREATE TABLE made (id BIGINT NOT NULL, PRIMARY KEY (id))";
    private static final String OF_A = "SELECT * FROM a";
    private static final int COMPARED_EVERY = 500;

    private final SqlCompiler compiler = new SqlCompiler();
    private final PlanCache cache = new PlanCache(new Counting());
    private int compiled;
    private boolean plansDiffer;

    private final class Counting implements SqlFrontend {
        @Override
        public List<String> split(String script) {
            return compiler.split(script);
        }

        @Override
        public Compiled compile(String sql, Catalog catalog) {
            compiled++;
            return compiler.compile(plansDiffer ? "SELECT 2" : sql, catalog);
        }

        @Override
        public Optional<DraftedStatement> drafted(String sql, Catalog catalog, Map<String, String> contents) {
            return Optional.of(new DraftedStatement(sql, false, Optional.empty()));
        }

        @Override
        public Optional<RowByRow> rowByRow(String sql, Catalog catalog) {
            return compiler.rowByRow(sql, catalog);
        }
    }

    private static Catalog schema(Catalog catalog, String name) {
        TreeSet<String> schemas = new TreeSet<>(catalog.schemas());
        schemas.add(name);
        return catalog.withSchemas(schemas);
    }

    private static Catalog commented(Catalog catalog) {
        return catalog.withComment(new Comments.Subject(Comments.Kind.TABLE, "T", ""), "text");
    }

    @Test
    void aPlanOutlivesHandOffsOfKeys() {
        Catalog catalog = schema(Catalog.empty(), "S");
        Catalog moved =
                catalog.withPlan(PartitionPlan.ranges(0, 100, 200).with(new KeyRange(KeySpace.INTEGER, 10, 19), 1));
        cache.compile(TEXT, catalog);

        assertThat(cache.compile(TEXT, moved)).isSameAs(cache.compile(TEXT, catalog));
        assertThat(compiled).isEqualTo(1);
    }

    /** Else no simulated transaction would read the rows of tables that it makes. */
    @Test
    void queriesOfDraftedTablesAreTheCompilers() {
        assertThat(cache.drafted(TEXT, Catalog.empty(), Map.of()))
                .contains(new DraftedStatement(TEXT, false, Optional.empty()));
    }

    @Test
    void nodesWithEqualObjectsShareIt() {
        cache.compile(TEXT, commented(schema(Catalog.empty(), "S")));
        cache.compile(TEXT, commented(schema(Catalog.empty(), "S")));

        assertThat(compiled).isEqualTo(1);
    }

    @Test
    void otherObjectsHaveOtherChanges() {
        Catalog catalog = schema(Catalog.empty(), "S");
        cache.compile(CHANGE, catalog);
        cache.compile(CHANGE, catalog);
        cache.compile(CHANGE, schema(catalog, "T"));
        cache.compile(CHANGE, commented(catalog));
        cache.compile(CHANGE, Catalog.empty());

        assertThat(compiled).isEqualTo(4);
    }

    private static Table table(int id, String name, ForeignKey... keys) {
        ColumnType number = ColumnType.of(TypeKind.BIGINT);
        Index key = new Index(id + 1, name + "_KEY", IndexKind.HASH, true, true, List.of(new IndexColumn(0, false)));
        return new Table(
                id,
                name,
                List.of(new Column("ID", number, false, null), new Column("OTHER", number, true, null)),
                OptionalInt.empty(),
                List.of(0),
                List.of(key),
                List.of(),
                Optional.empty(),
                List.of(keys));
    }

    private static ForeignKey reference(String parent) {
        return new ForeignKey(
                "REFERS",
                List.of("OTHER"),
                parent,
                List.of("ID"),
                ForeignKey.Action.NO_ACTION,
                ForeignKey.Action.NO_ACTION);
    }

    private int compiledOf(String text, Catalog... catalogs) {
        int before = compiled;
        for (Catalog catalog : catalogs) {
            cache.compile(text, catalog);
        }
        return compiled - before;
    }

    @Test
    void aPlanOutlivesChangesOfWhatItsTextDoesNotName() {
        Catalog catalog = Catalog.empty().withTable(table(1, "A"));

        assertThat(compiledOf(OF_A, catalog, catalog.withTable(table(5, "B")), commented(catalog)))
                .isEqualTo(1);
    }

    @Test
    void aPlanEndsWithChangesOfWhatItsTextNames() {
        Catalog catalog = Catalog.empty().withTable(table(1, "A")).withTable(table(5, "B"));

        assertThat(compiledOf(OF_A, catalog, catalog.withTable(table(9, "A")))).isEqualTo(2);
        assertThat(compiledOf("SELECT b FROM (SELECT id AS b FROM a) AS q", catalog, catalog.withoutTable("B")))
                .as("any word may be a name")
                .isEqualTo(2);
    }

    @Test
    void aPlanEndsWithChangesOfTablesThatReferToItsTable() {
        Catalog alone = Catalog.empty().withTable(table(1, "A"));
        Catalog referred = alone.withTable(table(5, "B", reference("A")));

        assertThat(compiledOf("DELETE FROM a", alone, referred, referred.withTable(table(9, "C", reference("B")))))
                .isEqualTo(3);
    }

    @Test
    void aPlanEndsWithChangesOfTablesOfItsView() {
        Catalog catalog = Catalog.empty()
                .withTable(table(1, "A"))
                .withView(new View(
                        "V",
                        List.of(new ResultColumn("ID", ColumnType.of(TypeKind.BIGINT), false)),
                        "SELECT id FROM a",
                        Set.of("A")));

        assertThat(compiledOf("SELECT * FROM v", catalog, catalog.withTable(table(9, "A"))))
                .isEqualTo(2);
    }

    @Test
    void aPlanEndsWithChangesOfAnySequence() {
        Catalog catalog = Catalog.empty().withTable(table(1, "A"));
        Table sequence = new SequenceRule(1, 1, false).table(5, "S");

        assertThat(compiledOf(OF_A, catalog, catalog.withTable(sequence))).isEqualTo(2);
    }

    @Test
    void queriesOfTheCatalogArePlannedForEach() {
        Catalog catalog = Catalog.empty().withTable(table(1, "A"));
        Catalog other = catalog.withTable(table(5, "B"));

        assertThat(compiledOf("SELECT table_name FROM information_schema.tables", catalog, other))
                .isEqualTo(2);
        assertThat(compiledOf("SELECT relname FROM pg_catalog.pg_class", catalog, other))
                .isEqualTo(2);
        assertThat(compiledOf("SELECT * FROM U&\"\\0041\"", catalog, other)).isEqualTo(2);
    }

    @Test
    void aPlanThatTheCompilerNoLongerMakesIsABreach() {
        Catalog catalog = Catalog.empty();
        cache.compile(TEXT, catalog);
        plansDiffer = true;

        assertThatThrownBy(() -> {
                    for (int i = 0; i < COMPARED_EVERY; i++) {
                        cache.compile(TEXT, catalog);
                    }
                })
                .hasMessageContaining("equal plans");
    }
}
