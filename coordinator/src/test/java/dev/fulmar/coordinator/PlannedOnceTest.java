package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.routing.PartitionPlans;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.spi.SqlFrontend;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** SQL is planned anew when tables change, and not when keys move. */
class PlannedOnceTest {
    private static final String INSERT = "INSERT INTO account VALUES (?, ?)";
    private static final String READ = "SELECT balance FROM account WHERE id = ?";

    private final CountingSql sql = new CountingSql();
    private final SteppedDatabase db =
            new SteppedDatabase(DatabaseConfiguration.of(2, 2), sql, null, DurabilityMode.NONE);

    @BeforeEach
    void makeTable() {
        assertThat(db.change(SteppedDatabase.table("ACCOUNT"))).isInstanceOf(Committed.class);
        assertThat(db.change(new CatalogChange.PartitionTable("ACCOUNT", "ID"))).isInstanceOf(Committed.class);
        insert(1);
        assertThat(SteppedDatabase.cell(db.sql(READ, 1L))).isEqualTo(7);
    }

    private void insert(long id) {
        assertThat(db.sql(INSERT, id, 7L)).isInstanceOf(Committed.class);
    }

    @Test
    void aStatementIsKeptWhenKeysMove() {
        PartitionPlans plans = db.database.plans();
        int planned = sql.compilations;
        for (int times = 0; times < 3; times++) {
            PartitionPlan before = plans.newest();
            long key = LongStream.iterate(2, id -> id + 1)
                    .filter(id -> before.partitionOf(id) == 0)
                    .findFirst()
                    .orElseThrow();
            long position = before.positionOf(key);
            plans.replace(
                    before.with(new KeyRange(KeySpace.HASH, position, position), 1),
                    failure -> assertThat(failure).isNull());
            db.settle();
            assertThat(plans.newest().partitionOf(key)).isEqualTo(1);
            insert(key);
            assertThat(SteppedDatabase.cell(db.sql(READ, key))).isEqualTo(7);
        }
        assertThat(sql.compilations).isEqualTo(planned);
    }

    @Test
    void aStatementIsPlannedAnewWhenTablesChange() {
        assertThat(db.change(SteppedDatabase.table("OTHER"))).isInstanceOf(Committed.class);
        int planned = sql.compilations;
        insert(2);
        assertThat(sql.compilations).isEqualTo(planned + 1);
    }

    private static final class CountingSql implements SqlFrontend {
        private final TinySql tiny = new TinySql();
        private int compilations;

        @Override
        public List<String> split(String script) {
            return tiny.split(script);
        }

        @Override
        public Compiled compile(String text, Catalog catalog) {
            compilations++;
            return tiny.compile(text, catalog);
        }

        @Override
        public Optional<Generalised> generalise(String text) {
            return tiny.generalise(text);
        }
    }
}
