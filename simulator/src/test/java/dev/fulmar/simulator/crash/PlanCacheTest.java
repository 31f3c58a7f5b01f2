package dev.fulmar.simulator.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Comments;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.spi.DraftedStatement;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.sql.SqlCompiler;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PlanCacheTest {
    private static final String TEXT = "SELECT 1 + 1";

    private final SqlCompiler compiler = new SqlCompiler();
    private final PlanCache cache = new PlanCache(new Counting());
    private int compiled;

    private final class Counting implements SqlFrontend {
        @Override
        public List<String> split(String script) {
            return compiler.split(script);
        }

        @Override
        public Compiled compile(String sql, Catalog catalog) {
            compiled++;
            return compiler.compile(sql, catalog);
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
    void otherObjectsHaveOtherPlans() {
        Catalog catalog = schema(Catalog.empty(), "S");
        cache.compile(TEXT, catalog);
        cache.compile(TEXT, schema(catalog, "T"));
        cache.compile(TEXT, commented(catalog));
        cache.compile(TEXT, Catalog.empty());

        assertThat(compiled).isEqualTo(4);
    }
}
