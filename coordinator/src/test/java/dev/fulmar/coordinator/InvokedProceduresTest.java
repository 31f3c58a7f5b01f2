package dev.fulmar.coordinator;

import static dev.fulmar.coordinator.SteppedDatabase.cell;
import static dev.fulmar.coordinator.SteppedDatabase.code;
import static dev.fulmar.coordinator.SteppedDatabase.list;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that call procedures. Accounts 0 to 9 are on partition 0, the others on 1. */
class InvokedProceduresTest {
    private final SteppedDatabase db =
            SteppedDatabase.withBank(DatabaseConfiguration.of(PartitionPlan.ranges(0, 10), 2));

    private void create(String name, String... statements) {
        ProcedureDefinition definition =
                new ProcedureDefinition(name, Optional.empty(), new ProcedureDefinition.Sql(List.of(statements)));
        assertThat(db.change(new CatalogChange.CreateProcedure(definition, false)))
                .isInstanceOf(Committed.class);
    }

    private static Kind kind(TransactionResponse response) {
        assertThat(response).isInstanceOf(Committed.class);
        return ((Committed) response).kind();
    }

    private static String column(TransactionResponse response) {
        byte[] results = ((Committed) response).results();
        return new ResultBlock()
                .wrap(results, 0, results.length)
                .columns()
                .getFirst()
                .name();
    }

    @ParameterizedTest
    @ValueSource(strings = {"CALL Transfer(?, ?, ?)", "SELECT * FROM Transfer(?, ?, ?)"})
    void aProcedureRunsOnceUnderItsHandle(String sql) {
        db.open(100, 1, 2);
        long before = db.database.figures().partition(0).committed.get();
        TransactionRequest transfer = new TransactionRequest.AdHoc(9, 1, 0, sql, list(1L, 2L, 30L));

        TransactionResponse first = db.run(transfer);
        TransactionResponse again = db.run(transfer);

        assertThat(cell(first)).isEqualTo(70);
        assertThat(column(first)).isEqualTo("TRANSFER");
        assertThat(cell(again)).isEqualTo(70);
        assertThat(db.database.figures().partition(0).committed.get()).isEqualTo(before + 1);
        assertThat(db.balance(1)).isEqualTo(70);
        assertThat(db.balance(2)).isEqualTo(130);
    }

    @Test
    void aFailureOfTheProcedureIsThatOfTheStatement() {
        db.open(100, 1, 2);
        assertThat(code(db.sql("CALL Transfer(?, ?, ?)", 1L, 2L, 300L))).isEqualTo(ErrorCode.USER_ABORT);
        assertThat(code(db.sql("CALL Transfer(?, ?)", 1L, 2L))).isEqualTo(ErrorCode.WRONG_PARAMETERS);
        assertThat(code(db.sql("CALL Transfer(?, ?, ?)", 1L, 2L))).isEqualTo(ErrorCode.WRONG_PARAMETERS);
        assertThat(code(db.sql("CALL Nothing()"))).isEqualTo(ErrorCode.UNKNOWN_PROCEDURE);
        assertThat(db.balance(1)).isEqualTo(100);
    }

    @Test
    void theFirstRowsAreTheResult() {
        db.open(100, 1, 11);
        create("Pay", "UPDATE account SET balance = ? WHERE id = ?");
        create("Total", "SELECT SUM(balance) FROM account");
        create("PayAll", "UPDATE account SET balance = ? WHERE id = ?", "SELECT SUM(balance) FROM account");
        create("PayBoth", "UPDATE account SET balance = ? WHERE id = ?", "UPDATE account SET balance = ? WHERE id = ?");

        assertThat(cell(db.sql("CALL Total()"))).isEqualTo(200);
        assertThat(cell(db.sql("SELECT * FROM Total()"))).isEqualTo(200);
        assertThat(cell(db.sql("CALL PayAll(?, ?)", 50L, 1L))).isEqualTo(150);
        assertThat(cell(db.sql("SELECT * FROM PayAll(?, ?)", 60L, 1L))).isEqualTo(160);
        assertThat(SteppedDatabase.value(db.sql("CALL Pay(?, ?)", 70L, 1L))).isOne();
        assertThat(cell(db.sql("SELECT * FROM Pay(?, ?)", 80L, 1L))).isOne();
        assertThat(kind(db.sql("CALL PayBoth(?, ?, ?, ?)", 1L, 1L, 2L, 11L))).isEqualTo(Kind.NOTHING);
        assertThat(kind(db.sql("SELECT * FROM PayBoth(?, ?, ?, ?)", 3L, 1L, 4L, 11L)))
                .isEqualTo(Kind.TABLE);
        assertThat(db.total()).isEqualTo(7);
    }

    @Test
    void aTextIsCompiledOnce() {
        db.open(100, 1, 2);
        assertThat(cell(db.sql("CALL Transfer(?, ?, ?)", 1L, 2L, 30L))).isEqualTo(70);
        db.database.submit(
                new TransactionRequest.AdHoc(0, 0, 0, "CALL Transfer(?, ?, ?)", list(1L, 2L, 30L)),
                (request, response) -> {});
        assertThat(db.fibers.runnableCount()).as("nothing waits for a planner").isZero();
        db.settle();
        assertThat(db.balance(1)).isEqualTo(40);
    }
}
