package dev.fulmar.coordinator;

import static dev.fulmar.coordinator.SteppedDatabase.cell;
import static dev.fulmar.coordinator.SteppedDatabase.code;
import static dev.fulmar.coordinator.SteppedDatabase.numbered;
import static dev.fulmar.coordinator.SteppedDatabase.request;
import static dev.fulmar.coordinator.SteppedDatabase.sink;
import static dev.fulmar.coordinator.SteppedDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.transaction.CallLimits;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Calls, ad hoc statements and retries. Accounts 0 to 9 are on partition 0, 10 to 19 on 1, the others on 2. */
class DatabaseTest {
    private static final DatabaseConfiguration THREE = DatabaseConfiguration.of(PartitionPlan.ranges(0, 10, 20), 3);
    private static final long SECOND_NANOS = 1_000_000_000L;

    private final SteppedDatabase db = SteppedDatabase.withBank(THREE);
    private final List<TransactionResponse> responses = new ArrayList<>();

    @Test
    void aCallRunsOnThePartitionOfItsKey() {
        db.open(100, 1, 2, 11, 21);
        assertThat(value(db.call("Transfer", 1L, 2L, 30L))).isEqualTo(70);
        assertThat(db.balance(1)).isEqualTo(70);
        assertThat(db.balance(2)).isEqualTo(130);
        assertThat(db.database.figures().partition(0).committed.get()).isEqualTo(3);
        assertThat(db.database.figures().partition(0).mismatchReruns.get()).isZero();
    }

    @Test
    void aCallThatNeedsAnotherPartitionRunsAgainAsADistributedOne() {
        db.open(100, 1, 11);
        assertThat(value(db.call("Transfer", 1L, 11L, 30L))).isEqualTo(70);
        assertThat(db.balance(1)).isEqualTo(70);
        assertThat(db.balance(11)).isEqualTo(130);
        assertThat(db.database.figures().partition(0).mismatchReruns.get()).isOne();
        assertThat(procedure("TRANSFER").distributed()).isOne();
    }

    @Test
    void strictModeRefusesSuchACall() {
        SteppedDatabase strict = SteppedDatabase.withBank(
                THREE.withCalls(new CallLimits(SECOND_NANOS, BudgetLimits.DEFAULT, 1 << 20, 1 << 20, true)));
        strict.open(100, 1, 11);
        assertThat(code(strict.call("Transfer", 1L, 11L, 30L))).isEqualTo(ErrorCode.PARTITION_MISMATCH);
        assertThat(strict.total()).isEqualTo(200);
    }

    @Test
    void whateverFailsLeavesNoTrace() {
        db.open(100, 1, 2, 11);
        assertThat(code(db.call("Transfer", 1L, 2L, 1000L))).isEqualTo(ErrorCode.USER_ABORT);
        assertThat(code(db.call("Transfer", 5L, 2L, 1L))).isEqualTo(ErrorCode.USER_ABORT);
        assertThat(code(db.call("Transfer", 1L, 2L))).isEqualTo(ErrorCode.WRONG_PARAMETERS);
        assertThat(code(db.call("Transfer"))).isEqualTo(ErrorCode.WRONG_PARAMETERS);
        assertThat(code(db.call("Nothing"))).isEqualTo(ErrorCode.UNKNOWN_PROCEDURE);
        assertThat(code(db.sql("GIBBERISH"))).isEqualTo(ErrorCode.SYNTAX);
        assertThat(code(db.sql("INSERT INTO account VALUES (?, ?)", 11L, 1L))).isEqualTo(ErrorCode.UNIQUE_VIOLATION);
        assertThat(db.total()).isEqualTo(300);
        assertThat(procedure("TRANSFER").failed()).isEqualTo(3);
    }

    @Test
    void aStatementOfADistributedCallFailsAloneAndEverywhere() {
        db.open(100, 11);
        // Of the batch the first statement stands, the second fails, and the third must not have happened.
        assertThat(value(db.call("OpenAccounts", new long[] {1, 11, 21}, 5L))).isOne();
        assertThat(db.balance(1)).isEqualTo(5);
        assertThat(db.balance(11)).isEqualTo(100);
        assertThat(db.balance(21)).isEqualTo(5);
    }

    @Test
    void adHocStatementsRunWhereTheirRowsAre() {
        assertThat(value(db.sql("INSERT INTO account VALUES (?, ?)", 4L, 50L))).isOne();
        assertThat(value(db.sql("UPDATE account SET balance = ? WHERE id = ?", 60L, 4L)))
                .isOne();
        assertThat(cell(db.sql("SELECT balance FROM account WHERE id = ?", 4L))).isEqualTo(60);
        assertThat(db.database.figures().partition(0).committed.get()).isEqualTo(3);
        assertThat(db.total()).isEqualTo(60);
        assertThat(code(db.sql("SELECT balance FROM account WHERE id = ?"))).isEqualTo(ErrorCode.WRONG_PARAMETERS);
        assertThat(db.sql("EXPLAIN SELECT 1"))
                .isInstanceOfSatisfying(
                        Committed.class, c -> assertThat(c.kind()).isEqualTo(TransactionResponse.Kind.TABLE));
    }

    @Test
    void statementsThatDifferInTheirValuesAloneAreCompiledOnce() {
        db.open(100, 4, 15);
        assertThat(cell(db.sql("SELECT balance FROM account WHERE id = 4"))).isEqualTo(100);
        assertThat(value(db.sql("UPDATE account SET balance = 60 WHERE id = 15")))
                .isOne();
        db.database.submit(
                new TransactionRequest.AdHoc(
                        0, 0, 0, "SELECT balance FROM account WHERE id = 15", SteppedDatabase.list()),
                sink(responses));
        assertThat(db.fibers.runnableCount()).isZero();
        db.settle();
        assertThat(responses).hasSize(1);
        assertThat(cell(responses.getFirst())).isEqualTo(60);
    }

    /** The compiler of these tests understands no literals: that one gets there is seen by its failure. */
    @Test
    void whereAnIndexHasSomeRowsOnlyTheCompilerSeesTheLiterals() {
        db.open(100, 4);
        assertThat(cell(db.sql("SELECT balance FROM account WHERE id = 4"))).isEqualTo(100);
        Table account = db.database.catalog().table("ACCOUNT");
        Expression condition = new Expression.Call(
                ScalarFunction.EQUAL,
                List.of(
                        new Expression.ColumnReference(0, SteppedDatabase.BIGINT, false),
                        new Expression.Literal(SteppedDatabase.BIGINT, 4L)),
                ColumnType.of(TypeKind.BOOLEAN),
                false);
        TransactionResponse made = db.change(new CatalogChange.CreateIndex(
                "FOURS",
                "ACCOUNT",
                IndexKind.ORDERED,
                false,
                List.of(new CatalogChange.NamedColumn("BALANCE", false)),
                CatalogChange.Presence.STRICT,
                Optional.of(new CatalogChange.IndexFilter(account, new Check("FOURS", "id = 4", condition)))));
        assertThat(made).isInstanceOf(Committed.class);
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThat(code(db.sql("SELECT balance FROM account WHERE id = 4"))).isEqualTo(ErrorCode.SYNTAX);
            assertThat(cell(db.sql("SELECT balance FROM account WHERE id = ?", 4L)))
                    .isEqualTo(100);
        }
    }

    @Test
    void aTextThatIsNotUnderstoodIsShownAsItIsWritten() {
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThat(db.sql("GIBBERISH = 4"))
                    .isInstanceOfSatisfying(
                            Failed.class, failed -> assertThat(failed.message()).contains("GIBBERISH = 4"));
        }
    }

    @Test
    void aKnownStatementIsNotCompiledAgain() {
        db.sql("SELECT balance FROM account WHERE id = ?", 4L);
        db.database.submit(
                new TransactionRequest.AdHoc(
                        0, 0, 0, "SELECT balance FROM account WHERE id = ?", SteppedDatabase.list(5L)),
                sink(responses));
        assertThat(db.fibers.runnableCount()).isZero();
        db.settle();
        assertThat(responses).hasSize(1);
    }

    @Test
    void automaticProceduresOfATableWork() {
        assertThat(value(db.call("ACCOUNT.insert", 12L, 7L))).isOne();
        assertThat(value(db.call("ACCOUNT.update", 12L, 8L))).isOne();
        assertThat(value(db.call("ACCOUNT.upsert", 13L, 9L))).isOne();
        assertThat(value(db.call("ACCOUNT.delete", 12L))).isOne();
        assertThat(db.total()).isEqualTo(9);
        assertThat(db.database.figures().partition(1).committed.get()).isEqualTo(4);
    }

    @Test
    void replicatedTablesAreWrittenEverywhereAndReadAnywhere() {
        db.change(SteppedDatabase.table("RATE"));
        assertThat(value(db.sql("INSERT INTO rate VALUES (?, ?)", 1L, 3L))).isOne();
        for (int client = 1; client < 20; client++) {
            assertThat(cell(db.run(numbered(client, 1, "RATE.select", 1L)))).isOne();
        }
        for (int partition = 0; partition < 3; partition++) {
            assertThat(db.database.figures().partition(partition).committed.get())
                    .isPositive();
        }
    }

    @Test
    void aRetryGetsTheFirstOutcome() {
        db.open(100, 1, 2);
        assertThat(value(db.run(numbered(7, 1, "Transfer", 1L, 2L, 30L)))).isEqualTo(70);
        assertThat(value(db.run(numbered(7, 1, "Transfer", 1L, 2L, 30L)))).isEqualTo(70);
        assertThat(db.balance(1)).isEqualTo(70);
        assertThat(value(db.run(numbered(8, 1, "Transfer", 1L, 2L, 30L)))).isEqualTo(40);
        assertThat(db.database.figures().partition(0).duplicates.get()).isOne();
    }

    @Test
    void aFailureIsAnOutcomeToo() {
        db.open(100, 1, 2);
        TransactionResponse first = db.run(numbered(7, 1, "Transfer", 1L, 2L, 300L));
        db.sql("UPDATE account SET balance = ? WHERE id = ?", 1000L, 1L);
        assertThat(db.run(numbered(7, 1, "Transfer", 1L, 2L, 300L))).isEqualTo(first);
        assertThat(db.balance(2)).isEqualTo(100);
    }

    @Test
    void aRetryOfADistributedCallGetsItsOutcomeDuringAndAfterIt() {
        db.open(100, 1, 11);
        db.database.submit(numbered(7, 1, "Transfer", 1L, 11L, 30L), sink(responses));
        db.turn(0);
        db.database.submit(numbered(7, 1, "Transfer", 1L, 11L, 30L), sink(responses));
        db.turn(0);
        db.settle();
        db.database.submit(numbered(7, 1, "Transfer", 1L, 11L, 30L), sink(responses));
        db.settle();
        assertThat(responses).hasSize(3).allMatch(response -> value(response) == 70);
        assertThat(db.balance(11)).isEqualTo(130);
    }

    @Test
    void aRetryOfAMultiPartitionProcedureGetsItsOutcomeDuringAndAfterIt() {
        TransactionRequest open = numbered(9, 5, "OpenAccounts", new long[] {1, 11, 21}, 10L);
        db.database.submit(open, sink(responses));
        db.database.submit(open, sink(responses));
        db.settle();
        db.database.submit(open, sink(responses));
        db.settle();
        assertThat(responses).hasSize(3).allMatch(response -> value(response) == 3);
        assertThat(db.total()).isEqualTo(30);
    }

    @Test
    void aFullPartitionSaysThatItIsBusy() {
        SteppedDatabase small = SteppedDatabase.withBank(THREE.withQueueCapacity(2));
        for (int i = 0; i < 3; i++) {
            small.database.submit(request("ACCOUNT.insert", (long) i, 1L), sink(responses));
        }
        assertThat(responses)
                .hasSize(1)
                .first()
                .satisfies(r -> assertThat(code(r)).isEqualTo(ErrorCode.SERVER_BUSY));
        small.settle();
        assertThat(responses).hasSize(3);
        assertThat(small.total()).isEqualTo(2);
    }

    @Test
    void aRequestThatWaitedTooLongIsNotExecuted() {
        db.database.submit(
                new TransactionRequest.Call(0, 0, SECOND_NANOS, "ACCOUNT.insert", SteppedDatabase.list(1L, 1L)),
                sink(responses));
        db.time.advance(2 * SECOND_NANOS);
        db.settle();
        assertThat(responses)
                .hasSize(1)
                .first()
                .satisfies(r -> assertThat(code(r)).isEqualTo(ErrorCode.TIMEOUT));
        assertThat(db.call("ACCOUNT.select", 1L))
                .satisfies(r -> assertThat(cell(r)).isEqualTo(-1));
    }

    @Test
    void aDistributedCallThatTakesTooLongIsUndone() {
        db.open(100, 1, 11);
        db.database.submit(request("Transfer", 1L, 11L, 30L), sink(responses));
        db.turn(0); // the mismatch
        db.settleFibers();
        db.turn(0); // the first statement, and the lock of partition 0
        db.settleFibers();
        db.time.advance(60 * SECOND_NANOS);
        db.settle();
        assertThat(responses)
                .hasSize(1)
                .first()
                .satisfies(r -> assertThat(code(r)).isEqualTo(ErrorCode.TIMEOUT));
        assertThat(db.total()).isEqualTo(200);
        assertThat(db.time.taskCount()).isZero();
    }

    @Test
    void stoppingFinishesWhatWasTakenInAndRefusesTheRest() {
        db.open(100, 1, 2, 11);
        db.database.submit(request("Transfer", 1L, 2L, 5L), sink(responses));
        db.database.submit(request("Transfer", 1L, 11L, 5L), sink(responses));
        db.database.submit(
                new TransactionRequest.AdHoc(0, 0, 0, "SELECT SUM(balance) FROM account", SteppedDatabase.list()),
                sink(responses));
        var stopped = db.database.stop(10 * SECOND_NANOS);
        TransactionResponse refused =
                db.database.submit(request("Transfer", 1L, 2L, 5L)).getNow(new Failed(ErrorCode.INTERNAL, "no answer"));
        assertThat(code(refused)).isEqualTo(ErrorCode.NODE_STOPPING);
        for (int i = 0; i < 20 && !stopped.isDone(); i++) {
            db.settle();
            db.time.advance(10_000_000);
        }
        assertThat(stopped).isCompleted();
        assertThat(responses).hasSize(3).allMatch(Committed.class::isInstance);
    }

    @Test
    void stoppingUndoesWhatDoesNotEnd() {
        db.open(100, 1, 11);
        db.database.submit(request("Transfer", 1L, 11L, 5L), sink(responses));
        db.turn(0);
        db.settleFibers(); // its fragments wait at partitions that do not run any more
        var stopped = db.database.stop(SECOND_NANOS);
        for (int i = 0; i < 2000 && !stopped.isDone(); i++) {
            db.time.advance(1_000_000);
            db.settleFibers();
        }
        assertThat(stopped).isCompleted();
        db.settleFibers();
        assertThat(responses)
                .hasSize(1)
                .first()
                .satisfies(r -> assertThat(code(r)).isEqualTo(ErrorCode.NODE_STOPPING));
    }

    private DatabaseFigures.Procedure procedure(String name) {
        return db.database.figures().procedures().stream()
                .filter(procedure -> procedure.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
