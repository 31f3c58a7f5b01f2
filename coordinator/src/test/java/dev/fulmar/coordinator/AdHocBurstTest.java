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
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Many requests at once for a statement that is new are one compilation. */
class AdHocBurstTest {
    private static final int BURST = 1_000;

    private final CountingSql sql = new CountingSql();
    private final List<TransactionResponse> responses = new ArrayList<>();
    private final SteppedDatabase db = bank();

    /** Says which texts are compiled. Texts in quotes are literals that fit no account. */
    private static final class CountingSql implements SqlFrontend {
        private final TinySql tiny = new TinySql();
        private final List<String> compiled = new ArrayList<>();

        @Override
        public List<String> split(String script) {
            return tiny.split(script);
        }

        @Override
        public Optional<Generalised> generalise(String text) {
            return text.endsWith("'x'")
                    ? Optional.of(new Generalised(text.replace("'x'", "?"), List.of(new Literal.Text("x"))))
                    : tiny.generalise(text);
        }

        @Override
        public Compiled compile(String text, Catalog catalog) {
            compiled.add(text);
            return tiny.compile(text, catalog);
        }
    }

    private SteppedDatabase bank() {
        SteppedDatabase stepped = new SteppedDatabase(
                DatabaseConfiguration.of(PartitionPlan.ranges(0, 10, 20), 3), sql, null, DurabilityMode.NONE);
        SteppedDatabase.createBank(stepped.database, stepped::settle);
        stepped.open(100, 4, 15);
        sql.compiled.clear();
        return stepped;
    }

    /** Until the partitions have told how large their tables are, which the compilation waits for. */
    private void count() {
        for (int partition = 0; partition < 3; partition++) {
            for (int turn = 0; turn < 5; turn++) {
                db.turn(partition);
            }
        }
        db.fibers.step(0);
    }

    private void submit(String text, Object... parameters) {
        db.database.submit(
                new TransactionRequest.AdHoc(0, 0, 0, text, SteppedDatabase.list(parameters)), sink(responses));
    }

    @Test
    void aBurstOfANewStatementCompilesItOnce() {
        for (int i = 0; i < BURST; i++) {
            submit("SELECT balance FROM account WHERE id = ?", 4L);
        }
        count();
        assertThat(db.fibers.runnableCount()).isOne();
        db.settle();
        assertThat(sql.compiled).hasSize(1);
        assertThat(responses)
                .hasSize(BURST)
                .allSatisfy(response -> assertThat(cell(response)).isEqualTo(100));
    }

    @Test
    void soDoesOneWhoseRequestsDifferInTheirValues() {
        for (int i = 0; i < BURST; i++) {
            submit("SELECT balance FROM account WHERE id = " + i);
        }
        db.settle();
        assertThat(sql.compiled).containsExactly("SELECT balance FROM account WHERE id = ?");
        assertThat(responses).hasSize(BURST);
        assertThat(responses.stream().filter(response -> cell(response) == 100)).hasSize(2);
    }

    @Test
    void statementsThatDifferAreCompiledAtTheSameTime() {
        submit("SELECT balance FROM account WHERE id = ?", 4L);
        submit("SELECT id FROM account WHERE id = ?", 15L);
        count();
        assertThat(db.fibers.runnableCount()).isEqualTo(2);
        db.settle();
        assertThat(responses).extracting(SteppedDatabase::cell).containsExactlyInAnyOrder(100L, 15L);
    }

    /** Errors are not kept, so each request has its own. */
    @Test
    void whatCannotBeCompiledFailsForEach() {
        for (int i = 0; i < 200; i++) {
            submit("GIBBERISH");
        }
        assertThat(db.fibers.runnableCount()).isOne();
        db.settle();
        assertThat(responses)
                .hasSize(200)
                .allSatisfy(response -> assertThat(code(response)).isEqualTo(ErrorCode.SYNTAX));
        assertThat(cell(db.sql("SELECT balance FROM account WHERE id = 15"))).isEqualTo(100);
    }

    @Test
    void aChangeOfTheCatalogMeanwhileMeansAnotherCompilation() {
        String text = "SELECT balance FROM account WHERE id = ?";
        submit(text, 4L);
        submit(text, 15L);
        count();
        CompletableFuture<TransactionResponse> changed = db.database.applyChange(SteppedDatabase.table("OTHER"));
        for (int i = 0; i < 1_000 && !changed.isDone(); i++) {
            if (db.fibers.runnableCount() > 1) {
                db.fibers.step(1); // the first one is the compilation
            }
            db.turn(i % 3);
        }
        assertThat(changed).isDone();
        assertThat(sql.compiled).doesNotContain(text);
        db.settle();
        assertThat(sql.compiled.stream().filter(text::equals)).hasSize(2);
        assertThat(responses)
                .hasSize(2)
                .allSatisfy(response -> assertThat(cell(response)).isEqualTo(100));
        assertThat(cell(db.sql(text, 4L))).isEqualTo(100);
        assertThat(sql.compiled.stream().filter(text::equals)).hasSize(2);
    }

    /** One request whose value does not fit says nothing of those that follow. */
    @Test
    void aValueThatDoesNotFitLeavesTheStatementToOthers() {
        assertThat(code(db.sql("SELECT balance FROM account WHERE id = 'x'"))).isEqualTo(ErrorCode.SYNTAX);
        sql.compiled.clear();
        assertThat(cell(db.sql("SELECT balance FROM account WHERE id = 4"))).isEqualTo(100);
        assertThat(sql.compiled).isEmpty();
    }
}
