package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.door.AbsentKeys;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.partitioning.KeyRanges;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.PartitionId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A subsystem guards the data of partitions, by {@link AbsentKeys}: some keys are away, some have moved. */
class DataAccessTest {
    /** A transfer that goes to the partition of its amount. */
    private static final ProcedureDefinition ROUTED_BY_AMOUNT = new ProcedureDefinition(
            "Routed",
            Optional.of(new ProcedureDefinition.Partitioning("ACCOUNT", "ID", 2)),
            new ProcedureDefinition.JavaClass("dev.fulmar.coordinator.bank.Transfer", ""));

    private final SteppedDatabase db =
            SteppedDatabase.withBank(DatabaseConfiguration.of(PartitionPlan.ranges(1, 100), 2));
    private final AbsentKeys guard = new AbsentKeys();

    private void install() {
        db.open(1000, 10, 20, 150);
        db.database.guardData(new PartitionId(0), guard);
        db.database.guardData(new PartitionId(1), guard);
        db.settle();
    }

    private long keyedCommits() {
        CompletableFuture<Long> commits = new CompletableFuture<>();
        db.database
                .reconfiguration()
                .inspect(
                        new PartitionId(0),
                        data -> commits.complete(data.requests().commits()),
                        commits::completeExceptionally);
        return db.await(commits);
    }

    private CompletableFuture<TransactionResponse> submit(TransactionRequest request) {
        CompletableFuture<TransactionResponse> answer = db.database.submit(request);
        db.settle();
        return answer;
    }

    @Test
    void aCallWaitsForItsDataAndLeavesNoTraceMeanwhile() {
        install();
        guard.takeAway(20);
        CompletableFuture<TransactionResponse> transfer =
                submit(SteppedDatabase.numbered(7, 1, "Transfer", 10L, 20L, 5L));
        CompletableFuture<TransactionResponse> again = submit(SteppedDatabase.numbered(7, 1, "Transfer", 10L, 20L, 5L));
        assertThat(transfer).isNotDone();
        assertThat(db.balance(10)).as("others go on").isEqualTo(1000);
        int timers = db.time.taskCount();
        guard.arrive(20);
        assertThat(SteppedDatabase.value(db.await(transfer))).isEqualTo(995);
        assertThat(db.time.taskCount()).as("both time-outs are cancelled").isEqualTo(timers - 2);
        assertThat(SteppedDatabase.value(db.await(again))).as("it is a retry").isEqualTo(995);
        assertThat(db.balance(20)).isEqualTo(1005);
    }

    /** Its outcome belongs where the key is by which a retry will be routed. */
    @Test
    void aCallWaitsForTheKeyThatRoutesItThoughItsStatementsNeedOthers() {
        assertThat(db.change(new CatalogChange.CreateProcedure(ROUTED_BY_AMOUNT, true)))
                .isInstanceOf(Committed.class);
        install();
        guard.guardRoutes();
        guard.takeAway(20);
        long before = keyedCommits();
        CompletableFuture<TransactionResponse> held = submit(SteppedDatabase.numbered(7, 1, "Routed", 10L, 11L, 20L));
        assertThat(held).isNotDone();
        assertThat(SteppedDatabase.value(db.run(SteppedDatabase.numbered(7, 2, "Routed", 10L, 11L, 30L))))
                .isEqualTo(970);
        assertThat(keyedCommits()).as("no outcome of a key that is away").isEqualTo(before);
        guard.arrive(20);
        assertThat(SteppedDatabase.value(db.await(held))).isEqualTo(950);
        db.database.guardData(new PartitionId(0), null);
        assertThat(SteppedDatabase.value(db.run(SteppedDatabase.numbered(7, 3, "Routed", 10L, 11L, 30L))))
                .isEqualTo(920);
        assertThat(keyedCommits()).isEqualTo(before + 1);
    }

    @Test
    void aStatementIsRoutedByItsOwnKey() {
        install();
        guard.guardRoutes();
        guard.takeAway(20);
        CompletableFuture<TransactionResponse> other = submit(insertion(1, 30));
        CompletableFuture<TransactionResponse> held = submit(insertion(2, 20));
        assertThat(other.join()).isInstanceOf(Committed.class);
        assertThat(held).isNotDone();
        guard.arrive(20);
        assertThat(SteppedDatabase.code(db.await(held))).isEqualTo(ErrorCode.UNIQUE_VIOLATION);
    }

    private static TransactionRequest insertion(long request, long account) {
        return new TransactionRequest.AdHoc(
                7, request, 0, "INSERT INTO account VALUES (?, ?)", SteppedDatabase.list(account, 9L));
    }

    @Test
    void aCallWhoseDataDoesNotComeEndsWithItsTime() {
        install();
        guard.takeAway(20);
        CompletableFuture<TransactionResponse> transfer =
                submit(new TransactionRequest.Call(0, 0, 50_000_000, "Transfer", SteppedDatabase.list(10L, 20L, 5L)));
        db.time.advance(40_000_000);
        db.settle();
        assertThat(transfer).isNotDone();
        db.time.advance(20_000_000);
        db.settle();
        assertThat(SteppedDatabase.code(transfer.join())).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(transfer.join().toString()).contains("the data that the request needs did not come within 60 ms");
        assertThat(db.balance(10)).isEqualTo(1000);
    }

    @Test
    void fragmentsWaitWhileTheirTransactionHoldsThePartition() {
        install();
        guard.takeAway(150);
        CompletableFuture<TransactionResponse> transfer = submit(SteppedDatabase.request("Transfer", 10L, 150L, 5L));
        CompletableFuture<TransactionResponse> behind = submit(SteppedDatabase.request("Transfer", 10L, 10L, 0L));
        assertThat(transfer).isNotDone();
        assertThat(behind).as("the transaction has read account 10").isNotDone();
        guard.arrive(150);
        assertThat(SteppedDatabase.value(db.await(transfer))).isEqualTo(995);
        assertThat(SteppedDatabase.value(db.await(behind))).isEqualTo(995);
        assertThat(db.balance(150)).isEqualTo(1005);
    }

    @Test
    void aTransactionOverSeveralPartitionsWhoseDataDoesNotComeEndsWithItsTime() {
        install();
        guard.takeAway(150);
        CompletableFuture<TransactionResponse> transfer =
                submit(new TransactionRequest.Call(0, 0, 50_000_000, "Transfer", SteppedDatabase.list(10L, 150L, 5L)));
        assertThat(transfer).isNotDone();
        for (int i = 0; i < 100; i++) {
            db.time.advance(1_000_000);
            db.settle();
        }
        assertThat(transfer).isDone();
        assertThat(db.balance(10)).isEqualTo(1000);
        guard.arrive(150);
        assertThat(db.balance(150)).isEqualTo(1000);
    }

    @Test
    void aFragmentOfAStatementOnSeveralPartitionsWaitsToo() {
        assertThat(db.change(SteppedDatabase.procedure("Tithe", false))).isInstanceOf(Committed.class);
        install();
        guard.takeAway(150);
        CompletableFuture<TransactionResponse> tithe = submit(SteppedDatabase.request("Tithe", 10L, 150L));
        assertThat(tithe).isNotDone();
        guard.arrive(150);
        assertThat(SteppedDatabase.value(db.await(tithe))).isEqualTo(200);
        assertThat(db.balance(10)).isEqualTo(800);
    }

    /** A call that was turned away by the guard and comes to the same partition again is not its own retry. */
    @Test
    void aCallForRowsThatAreBackRunsOnce() {
        install();
        guard.move(20);
        TransactionRequest request = SteppedDatabase.numbered(7, 1, "Transfer", 20L, 10L, 5L);
        CompletableFuture<TransactionResponse> transfer = submit(request);
        assertThat(transfer).isNotDone();
        guard.forgetMoved();
        assertThat(SteppedDatabase.value(db.await(transfer))).isEqualTo(995);
        assertThat(SteppedDatabase.value(db.run(request))).as("a retry").isEqualTo(995);
        assertThat(db.balance(20)).isEqualTo(995);
    }

    @Test
    void insertedRowsAreAskedForToo() {
        install();
        guard.takeAway(30);
        guard.takeAway(160);
        CompletableFuture<TransactionResponse> one = submit(new TransactionRequest.AdHoc(
                0, 0, 0, "INSERT INTO account VALUES (?, ?)", SteppedDatabase.list(30L, 9L)));
        CompletableFuture<TransactionResponse> both =
                submit(SteppedDatabase.request("OpenAccounts", new long[] {31, 160}, 4L));
        assertThat(one).isNotDone();
        assertThat(both).isNotDone();
        guard.arrive(30);
        db.settle();
        assertThat(one).as("the other transaction holds the partition").isNotDone();
        guard.arrive(160);
        assertThat(SteppedDatabase.value(db.await(both))).isEqualTo(2);
        assertThat(db.await(one)).isInstanceOf(Committed.class);
        assertThat(db.balance(30)).isEqualTo(9);
        assertThat(db.balance(160)).isEqualTo(4);
    }

    @Test
    void aCallForRowsThatMovedIsRoutedByTheNextPlan() {
        install();
        assertThat(db.sql("DELETE FROM account WHERE id = ?", 20L)).isInstanceOf(Committed.class);
        guard.move(20);
        CompletableFuture<TransactionResponse> insert = db.database.submit(new TransactionRequest.AdHoc(
                0, 0, 0, "INSERT INTO account VALUES (?, ?)", SteppedDatabase.list(20L, 9L)));
        for (int i = 0; i < 5; i++) {
            db.turn(0);
        }
        db.settle(); // does not end if it goes round without a pause
        assertThat(insert).as("it comes back until the plan is known").isNotDone();
        PartitionPlan next = PartitionPlan.of(
                2,
                db.database.plans().newest().hashes(),
                new KeyRanges(List.of(Long.MIN_VALUE, 20L, 21L, 100L), List.of(0, 1, 0, 1)));
        db.database.plans().replace(next, failure -> assertThat(failure).isNull());
        guard.forgetMoved();
        assertThat(db.await(insert)).isInstanceOf(Committed.class);
        assertThat(db.balance(20)).isEqualTo(9);
    }

    @Test
    void rowsThatEveryPartitionHasNeverWait() {
        assertThat(db.change(SteppedDatabase.table("EVERYWHERE"))).isInstanceOf(Committed.class);
        install();
        guard.takeAway(20);
        assertThat(db.sql("INSERT INTO everywhere VALUES (?, ?)", 20L, 1L)).isInstanceOf(Committed.class);
        assertThat(SteppedDatabase.cell(db.sql("SELECT balance FROM everywhere WHERE id = ?", 20L)))
                .isEqualTo(1);
        CompletableFuture<TransactionResponse> sum = submit(new TransactionRequest.AdHoc(
                0, 0, 0, "UPDATE account SET balance = balance + ? WHERE id = ?", SteppedDatabase.list(1L, 20L)));
        assertThat(sum).isNotDone();
        guard.arrive(20);
        assertThat(db.await(sum)).isInstanceOf(Committed.class);
    }

    @Test
    void nothingIsAskedWithoutAGuard() {
        install();
        db.database.guardData(new PartitionId(0), null);
        db.settle();
        int before = guard.questions();
        db.call("Transfer", 10L, 20L, 5L);
        assertThat(guard.questions()).isEqualTo(before);
        db.call("Transfer", 150L, 150L, 5L);
        assertThat(guard.questions()).isGreaterThan(before);
    }
}
