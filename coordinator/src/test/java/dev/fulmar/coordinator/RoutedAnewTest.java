package dev.fulmar.coordinator;

import static dev.fulmar.coordinator.SteppedDatabase.cell;
import static dev.fulmar.coordinator.SteppedDatabase.code;
import static dev.fulmar.coordinator.SteppedDatabase.list;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A request that is sent again after a change of the catalog is executed once, wherever the catalog leads it by then.
 * Accounts 0 to 9 are on partition 0, the others on 1.
 */
class RoutedAnewTest {
    /** Its requests over several partitions begin on partition 1. */
    private static final long CLIENT = 5;

    private final SteppedDatabase db =
            SteppedDatabase.withBank(DatabaseConfiguration.of(PartitionPlan.ranges(0, 10), 2));

    @BeforeEach
    void open() {
        db.open(100, 1, 2);
        made(SteppedDatabase.table("SALE"));
    }

    private void made(CatalogChange change) {
        assertThat(db.change(change)).isInstanceOf(Committed.class);
    }

    private long version() {
        return db.database.catalog().version();
    }

    private long sold() {
        return Math.max(0, cell(db.sql("SELECT balance FROM sale WHERE id = ?", 1L)));
    }

    private static TransactionRequest transfer(long request) {
        return new TransactionRequest.Call(CLIENT, request, 0, "Transfer", list(1L, 2L, 5L));
    }

    private static TransactionRequest sale(long request) {
        return new TransactionRequest.AdHoc(CLIENT, request, 0, "INSERT INTO sale VALUES (?, ?)", list(1L, 7L));
    }

    @Test
    void aCallWhosePartitioningWasTakenAwayIsExecutedOnce() {
        TransactionRequest transfer = transfer(1).sentAt(version());
        assertThat(db.run(transfer)).isInstanceOf(Committed.class);
        made(SteppedDatabase.procedure("Transfer", false));
        assertThat(code(db.run(transfer))).isEqualTo(ErrorCode.CATALOG_CHANGED);
        assertThat(db.balance(1)).isEqualTo(95);
        assertThat(db.run(transfer(2).sentAt(version()))).isInstanceOf(Committed.class);
        assertThat(db.balance(1)).isEqualTo(90);
    }

    @Test
    void aStatementThatCallsSuchAProcedureIsExecutedOnce() {
        TransactionRequest transfer = new TransactionRequest.AdHoc(
                        CLIENT, 1, 0, "CALL Transfer(?, ?, ?)", list(1L, 2L, 5L))
                .sentAt(version());
        assertThat(db.run(transfer)).isInstanceOf(Committed.class);
        made(SteppedDatabase.procedure("Transfer", false));
        assertThat(code(db.run(transfer))).isEqualTo(ErrorCode.CATALOG_CHANGED);
        assertThat(db.balance(1)).isEqualTo(95);
    }

    /** That there was no such procedure in between is forgotten with it. */
    @Test
    void aCallOfAProcedureThatWasMadeAnewIsExecutedOnce() {
        TransactionRequest transfer = transfer(1).sentAt(version());
        assertThat(db.run(transfer)).isInstanceOf(Committed.class);
        made(new CatalogChange.DropProcedure("Transfer", Presence.STRICT));
        made(SteppedDatabase.procedure("Transfer", false));
        assertThat(code(db.run(transfer))).isEqualTo(ErrorCode.CATALOG_CHANGED);
        assertThat(db.balance(1)).isEqualTo(95);
    }

    @Test
    void aStatementOnATableThatWasPartitionedIsExecutedOnce() {
        TransactionRequest sale = sale(1).sentAt(version());
        assertThat(db.run(sale)).isInstanceOf(Committed.class);
        assertThat(sold()).isEqualTo(7);
        assertThat(db.sql("DELETE FROM sale WHERE id = ?", 1L)).isInstanceOf(Committed.class);
        made(new CatalogChange.PartitionTable("SALE", "ID"));
        assertThat(code(db.run(sale))).isEqualTo(ErrorCode.CATALOG_CHANGED);
        assertThat(sold()).isZero();
        assertThat(db.run(sale(2).sentAt(version()))).isInstanceOf(Committed.class);
        assertThat(sold()).isEqualTo(7);
    }

    /** The first sending comes late: after the change, and after the second one, which was executed before it. */
    @Test
    void aSendingThatComesAfterItsRetryIsNotExecuted() {
        TransactionRequest late = transfer(1).sentAt(version());
        assertThat(db.run(late.sentAt(version()))).isInstanceOf(Committed.class);
        made(SteppedDatabase.procedure("Transfer", false));
        assertThat(code(db.run(late))).isEqualTo(ErrorCode.CATALOG_CHANGED);
        assertThat(db.balance(1)).isEqualTo(95);
    }

    /** It was routed before the change, and its turn comes after it. */
    @Test
    void aCallThatTheChangeOvertakesIsNotExecutedElsewhere() {
        TransactionRequest transfer = transfer(1).sentAt(version());
        CompletableFuture<TransactionResponse> change =
                db.database.applyChange(SteppedDatabase.procedure("Transfer", false));
        Runnable goOn = db.pause("site-0");
        db.settle();
        CompletableFuture<TransactionResponse> overtaken = db.database.submit(transfer);
        goOn.run();
        db.settle();
        assertThat(change.join()).isInstanceOf(Committed.class);
        TransactionResponse first = overtaken.join();
        TransactionResponse again = db.run(transfer);
        assertThat(code(again)).isEqualTo(ErrorCode.CATALOG_CHANGED);
        assertThat(db.balance(1)).isEqualTo(first instanceof Committed ? 95 : 100);
    }

    @Test
    void otherChangesTakeNoAnswerAway() {
        TransactionRequest transfer = transfer(1).sentAt(version());
        TransactionRequest sale = sale(2).sentAt(version());
        TransactionResponse transferred = db.run(transfer);
        TransactionResponse sold = db.run(sale);
        assertThat(transferred).isInstanceOf(Committed.class);
        assertThat(sold).isInstanceOf(Committed.class);
        made(SteppedDatabase.table("OTHER"));
        made(SteppedDatabase.procedure("OpenAccounts", false));
        made(SteppedDatabase.procedure("Transfer", true));
        assertThat(db.run(transfer)).isEqualTo(transferred);
        assertThat(db.run(sale)).isEqualTo(sold);
        assertThat(db.balance(1)).isEqualTo(95);
        assertThat(sold()).isEqualTo(7);
    }

    /** A node that another one is ahead of would route by a catalog that the retry may not be routed by. */
    @Test
    void aRequestWaitsForTheCatalogThatItsClientWasToldOf() {
        List<TransactionResponse> answers = new ArrayList<>();
        ResponseSink sink = (request, response) -> answers.add(response);
        db.database.submit(transfer(1).sentAt(version() + 1), sink);
        db.database.submit(transfer(2).sentAt(version() + 2), sink);
        db.settle();
        assertThat(answers).isEmpty();
        made(SteppedDatabase.table("OTHER"));
        db.time.advance(10_000_000);
        db.settle();
        assertThat(answers).singleElement().isInstanceOf(Committed.class);
        db.time.advance(2_000_000_000);
        db.settle();
        assertThat(code(answers.getLast())).isEqualTo(ErrorCode.WRONG_NODE);
        assertThat(db.balance(1)).isEqualTo(95);
    }

    /**
     * Who does not repeat requests needs no place where they are remembered, and who does not say what he knew is asked
     * no more of.
     */
    @Test
    void nothingIsRefusedToWhoSaysNothing() {
        TransactionRequest nobody = new TransactionRequest.Call(0, 0, 0, "Transfer", list(1L, 2L, 5L)).sentAt(1);
        assertThat(db.run(nobody)).isInstanceOf(Committed.class);
        assertThat(db.run(transfer(1))).isInstanceOf(Committed.class);
    }
}
