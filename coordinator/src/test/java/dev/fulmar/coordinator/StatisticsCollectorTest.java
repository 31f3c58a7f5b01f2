package dev.fulmar.coordinator;

import static dev.fulmar.coordinator.SteppedDatabase.cell;
import static dev.fulmar.coordinator.SteppedDatabase.code;
import static dev.fulmar.coordinator.SteppedDatabase.sink;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.engine.spi.Statistics;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Tables are counted when queries are compiled, and plans made anew when they have grown. */
class StatisticsCollectorTest {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final String QUERY = "SELECT balance FROM account WHERE id = ?";

    private final WeighingSql sql = new WeighingSql();
    private final List<TransactionResponse> responses = new ArrayList<>();
    private final SteppedDatabase db = bank();

    /** Each query weighs all tables. */
    private static final class WeighingSql implements SqlFrontend {
        private final TinySql tiny = new TinySql();
        private final List<Statistics> weighed = new ArrayList<>();

        @Override
        public List<String> split(String script) {
            return tiny.split(script);
        }

        @Override
        public Compiled compile(String text, Catalog catalog) {
            return tiny.compile(text, catalog);
        }

        @Override
        public Compiled compile(String text, Catalog catalog, Statistics statistics) {
            Compiled compiled = tiny.compile(text, catalog);
            if (compiled instanceof Compiled.Runnable(var plan, var _) && plan.isReadOnly()) {
                weighed.add(statistics);
                TreeSet<Integer> ids = new TreeSet<>();
                catalog.tables().values().forEach(table -> ids.add(table.id()));
                return new Compiled.Runnable(plan, ids);
            }
            return compiled;
        }
    }

    private SteppedDatabase bank() {
        SteppedDatabase stepped = new SteppedDatabase(
                DatabaseConfiguration.of(PartitionPlan.ranges(0, 1_000, 2_000), 3), sql, null, DurabilityMode.NONE);
        SteppedDatabase.createBank(stepped.database, stepped::settle);
        stepped.open(100, 4, 1_500);
        return stepped;
    }

    private void grow(int first, int rows) {
        for (long id = first; id < first + rows; id++) {
            db.call("ACCOUNT.insert", id, 100L);
        }
    }

    private Statistics.TableFigures account() {
        int id = db.database.catalog().table("ACCOUNT").id();
        return Objects.requireNonNull(sql.weighed.getLast().of(id));
    }

    private void submit() {
        db.database.submit(new TransactionRequest.AdHoc(0, 0, 0, QUERY, SteppedDatabase.list(4L)), sink(responses));
    }

    @Test
    void aQueryIsPlannedByWhatTheTablesHold() {
        assertThat(cell(db.sql(QUERY, 4L))).isEqualTo(100);
        assertThat(account().rows()).isEqualTo(2);
        assertThat(account().values(List.of(0))).isEqualTo(2);
        assertThat(account().values(List.of(1))).isBetween(1L, 2L);
        assertThat(db.time.taskCount()).isZero();
    }

    @Test
    void aBusyPartitionHoldsNoCompilationUp() {
        submit();
        for (int i = 0; i < 10; i++) {
            db.turn(0);
        }
        db.settleFibers();
        assertThat(sql.weighed).isEmpty();
        db.time.advance(SECOND_NANOS / 50);
        db.settleFibers();
        assertThat(sql.weighed).hasSize(1);
        db.settle();
        assertThat(responses)
                .hasSize(1)
                .allSatisfy(response -> assertThat(cell(response)).isEqualTo(100));
    }

    @Test
    void aPlanIsMadeAnewOnceWhenATableHasGrown() {
        db.sql(QUERY, 4L);
        assertThat(sql.weighed).hasSize(1);
        grow(10, 900);
        db.time.advance(11 * SECOND_NANOS);
        db.sql(QUERY, 4L);
        db.sql(QUERY, 4L);
        assertThat(sql.weighed).as("few rows are not worth it").hasSize(1);
        grow(1_000, 300);
        db.sql(QUERY, 4L);
        assertThat(sql.weighed).as("what was counted is good for a while").hasSize(1);
        db.time.advance(11 * SECOND_NANOS);
        db.sql(QUERY, 4L);
        for (int i = 0; i < 100; i++) {
            submit();
        }
        db.settle();
        assertThat(responses)
                .hasSize(100)
                .allSatisfy(response -> assertThat(cell(response)).isEqualTo(100));
        assertThat(sql.weighed).hasSize(2);
        assertThat(account().rows()).isEqualTo(1_202);
    }

    @Test
    void writesCountNothing() {
        for (int i = 0; i < 3; i++) {
            db.sql("UPDATE account SET balance = ? WHERE id = ?", 100L, 4L);
            db.time.advance(11 * SECOND_NANOS);
        }
        assertThat(db.database.census().known()).isEqualTo(Statistics.NONE);
    }

    @Test
    void aClientBringsNoStatistics() {
        TransactionResponse response = db.sql("\u0001\u0001" + QUERY, 4L);
        assertThat(code(response)).isEqualTo(ErrorCode.SYNTAX);
    }
}
