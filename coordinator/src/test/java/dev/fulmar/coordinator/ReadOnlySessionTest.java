package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.access.CallerListener;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions that only read: one snapshot for all their queries, held until they end and no longer. */
class ReadOnlySessionTest extends SessionBank {
    private static final String READ_ONLY = "BEGIN READ ONLY";
    private static final String COMMITTED = "BEGIN ISOLATION LEVEL READ COMMITTED, READ ONLY";
    private static final long VERSION_BYTES = 40_000;

    @Override
    DatabaseConfiguration configuration() {
        return withVersions(super.configuration());
    }

    private static DatabaseConfiguration withVersions(DatabaseConfiguration usual) {
        return new DatabaseConfiguration(
                usual.plan(),
                usual.sites(),
                usual.bucketsPartition(),
                usual.queueCapacity(),
                usual.distributedCapacity(),
                usual.undoBytes(),
                VERSION_BYTES,
                usual.calls(),
                usual.loading(),
                usual.cachedStatements(),
                usual.planningCapacity(),
                usual.rememberedClients(),
                usual.partitionsByKey());
    }

    private void transfer(long amount, long from, long to) {
        bank.sql(ADD, -amount, from);
        bank.sql(ADD, amount, to);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ISOLATION LEVEL SERIALIZABLE",
                " ISOLATION LEVEL REPEATABLE READ",
                " ISOLATION LEVEL SNAPSHOT"
            })
    void itSeesOneStateWhileOthersChange(String level) {
        Client one = new Client().begin("BEGIN" + level + (level.isEmpty() ? " READ ONLY" : ", READ ONLY"));
        assertThat(one.read(1)).isEqualTo(100);
        transfer(30, 1, 2);
        bank.sql(INSERT, 9L, 900L);
        bank.sql(DELETE, 5L);
        assertThat(one.read(2)).as("it was so when row 1 was read").isEqualTo(100);
        assertThat(one.read(9)).isEqualTo(-1);
        assertThat(one.read(5)).isEqualTo(100);
        assertThat(SteppedDatabase.cell(one.run(TOTAL))).isEqualTo(600);
        assertThat(one.read(1)).isEqualTo(100);
        one.commits();
        assertThat(router.count)
                .as("no statement was run again, and no partition locked")
                .isZero();
        assertThat(sessions.serializationFailures()).isZero();
    }

    @Test
    void itSaysSoBeforeTheFirstStatement() {
        Client one = new Client().begin();
        one.run("SET TRANSACTION READ ONLY");
        assertThat(one.read(1)).isEqualTo(100);
        transfer(30, 1, 2);
        assertThat(one.read(2)).isEqualTo(100);
        one.fails(ErrorCode.ACTIVE_TRANSACTION, "SET TRANSACTION READ WRITE");
        one.commits();
    }

    /** Also of what was acknowledged between BEGIN and its first query. */
    @Test
    void itHasWhatWasAcknowledgedBeforeItsFirstQuery() {
        Client one = new Client().begin(READ_ONLY);
        for (long account = 0; account < 6; account++) {
            bank.sql(SET, 7L, account);
        }
        assertThat(SteppedDatabase.cell(one.run(TOTAL))).isEqualTo(42);
        bank.sql(SET, 8L, 3L);
        Client two = new Client().begin(READ_ONLY);
        assertThat(two.read(3)).isEqualTo(8);
        assertThat(one.read(3)).isEqualTo(7);
        two.commits();
        one.commits();
    }

    @Test
    void allAnswersTellOneTimestamp() {
        Client one = new Client().begin(READ_ONLY);
        long first = ((Committed) one.run(READ, 1L)).snapshot();
        assertThat(first).isPositive();
        transfer(1, 1, 2);
        assertThat(((Committed) one.run(TOTAL)).snapshot()).isEqualTo(first);
        one.commits();
    }

    @Test
    void eachStatementOfReadCommittedSeesAStateOfItsOwn() {
        Client one = new Client().begin(COMMITTED);
        assertThat(one.read(1)).isEqualTo(100);
        assertThat(readers()).as("nothing is held between statements").isZero();
        transfer(30, 1, 2);
        assertThat(one.read(1)).isEqualTo(70);
        assertThat(SteppedDatabase.cell(one.run(TOTAL))).isEqualTo(600);
        one.commits();
        assertThat(router.count).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"COMMIT", "ROLLBACK"})
    void itsEndReleasesTheSnapshot(String end) {
        Client one = new Client().begin(READ_ONLY);
        assertThat(readers()).as("it begins with its first query").isZero();
        one.read(1);
        assertThat(readers()).isEqualTo(PARTITIONS);
        transfer(1, 1, 2);
        assertThat(heldVersions()).isPositive();
        assertThat(sessions.takenBytes()).isGreaterThanOrEqualTo(16 << 10);
        assertThat(one.run(end)).isInstanceOf(Committed.class);
        assertThat(readers()).isZero();
        assertThat(heldVersions()).isZero();
    }

    @Test
    void itEndsWithItsConnection() {
        Client one = new Client().begin(READ_ONLY);
        one.read(1);
        transfer(1, 1, 2);
        one.leaves();
        assertThat(readers()).isZero();
        Client two = new Client().begin(READ_ONLY);
        two.send(TOTAL); // it leaves while that is read
        two.leaves();
        assertThat(readers()).isZero();
    }

    @Test
    void itEndsWithItsLimits() {
        Client one = new Client().begin(READ_ONLY);
        one.read(1);
        transfer(1, 1, 2);
        bank.time.advance(LIMITS.idleNanos());
        assertThat(readers()).isZero();
        assertThat(heldVersions()).isZero();
        one.fails(ErrorCode.IDLE_TRANSACTION, READ, 1L);
        one.run("ROLLBACK");
        one.begin(READ_ONLY);
        for (long nanos = 0; nanos < LIMITS.totalNanos(); nanos += LIMITS.idleNanos() / 2) {
            if (nanos > 0) {
                bank.time.advance(LIMITS.idleNanos() / 2);
            }
            one.read(1);
        }
        bank.time.advance(LIMITS.idleNanos() / 2);
        one.fails(ErrorCode.IDLE_TRANSACTION, READ, 1L);
        assertThat(readers()).isZero();
        one.run("ROLLBACK");
    }

    private void failsForGood(Client one, String text) {
        assertThat(one.run(READ, 1L)).isInstanceOfSatisfying(Failed.class, failed -> {
            assertThat(failed.code()).as(failed.message()).isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
            assertThat(failed.message()).contains("run it again from BEGIN on", text);
        });
        assertThat(readers()).isZero();
        one.fails(ErrorCode.FAILED_TRANSACTION, READ, 1L);
        one.run("ROLLBACK");
        one.begin(READ_ONLY);
        assertThat(one.read(1)).isNotNegative();
        one.commits();
    }

    @Test
    void versionsThatTakeTooMuchEndIt() {
        Client one = new Client().begin(READ_ONLY);
        assertThat(one.read(1)).isEqualTo(100);
        for (long i = 0; i < 3_000; i++) {
            assertThat(SteppedDatabase.value(bank.sql(SET, i, 1L)))
                    .as("no writer is refused")
                    .isEqualTo(1);
            assertThat(heldVersions()).isLessThanOrEqualTo(VERSION_BYTES * PARTITIONS);
        }
        failsForGood(one, "snapshot");
    }

    @Test
    void anotherCatalogEndsIt() {
        Client one = new Client().begin(READ_ONLY);
        one.read(1);
        bank.change(SteppedDatabase.table("OTHER"));
        failsForGood(one, "tables or their partitions changed");
    }

    @Test
    void aStoppingNodeEndsIt() {
        Client one = new Client().begin(READ_ONLY);
        one.read(1);
        var unused = bank.database.stop(LIMITS.idleNanos());
        one.fails(ErrorCode.SERIALIZATION_FAILURE, READ, 1L);
        one.run("ROLLBACK");
    }

    /** A statement that is refused leaves the snapshot as it was. */
    @Test
    void statementsThatItCannotHaveAreRefused() {
        Client one = new Client().begin(READ_ONLY);
        one.fails(ErrorCode.READ_ONLY_TRANSACTION, ADD, 1L, 1L);
        one.fails(ErrorCode.READ_ONLY_TRANSACTION, READ + " FOR UPDATE", 1L);
        one.fails(ErrorCode.READ_ONLY_TRANSACTION, READ + " FOR SHARE", 1L);
        one.fails(ErrorCode.READ_ONLY_TRANSACTION, READ + " FOR UPDATE SKIP LOCKED", 1L);
        one.fails(ErrorCode.NOT_SUPPORTED, "EXPLAIN " + READ, 1L);
        one.fails(ErrorCode.WRONG_PARAMETERS, READ);
        assertThat(one.read(1)).isEqualTo(100);
        transfer(1, 1, 2);
        assertThat(one.read(1)).isEqualTo(100);
        one.commits();
        assertThat(bank.balance(1)).isEqualTo(99);
    }

    @Test
    void savepointsTakeNothingBack() {
        Client one = new Client().begin(READ_ONLY);
        one.read(1);
        one.run("SAVEPOINT s");
        transfer(1, 1, 2);
        assertThat(one.read(2)).isEqualTo(100);
        one.run("ROLLBACK TO SAVEPOINT s");
        assertThat(one.read(1)).isEqualTo(100);
        one.run("RELEASE SAVEPOINT s");
        one.fails(ErrorCode.UNKNOWN_SAVEPOINT, "ROLLBACK TO s");
        assertThat(one.read(2)).isEqualTo(100);
        one.commits();
    }

    /** It keeps no statements, so it has no limit of them. */
    @Test
    void itHasAsManyQueriesAsItLikes() {
        Client one = new Client().begin(READ_ONLY);
        one.read(1);
        long bytes = sessions.takenBytes();
        for (int i = 0; i < 3 * LIMITS.statements(); i++) {
            assertThat(one.read(i % 6)).isEqualTo(100);
        }
        assertThat(sessions.takenBytes()).isEqualTo(bytes);
        one.commits();
    }

    @Test
    void statementsThatAreSentTogetherAreAnsweredInTheirOrder() {
        Client one = new Client().begin(READ_ONLY);
        int before = one.answers.size();
        one.send(READ, 1L);
        one.send(ADD, 1L, 1L);
        one.send(ADD, 1L, 2L);
        one.send(TOTAL);
        one.send("COMMIT");
        bank.settle();
        List<TransactionResponse> answers = one.answers.subList(before, one.answers.size());
        assertThat(answers).hasSize(5);
        assertThat(SteppedDatabase.cell(answers.getFirst())).isEqualTo(100);
        assertThat(SteppedDatabase.code(answers.get(1))).isEqualTo(ErrorCode.READ_ONLY_TRANSACTION);
        assertThat(SteppedDatabase.code(answers.get(2))).isEqualTo(ErrorCode.READ_ONLY_TRANSACTION);
        assertThat(SteppedDatabase.cell(answers.get(3))).isEqualTo(600);
        assertThat(answers.getLast()).isEqualTo(Committed.DONE);
    }

    @Test
    void aQueryIsCancelled() {
        Client one = new Client().begin(READ_ONLY);
        one.read(1);
        int before = one.answers.size();
        one.send(TOTAL);
        sessions.cancel(one.request(0, "").clientId(), one.requests);
        bank.settle();
        assertThat(one.answers).hasSize(before + 1);
        assertThat(SteppedDatabase.code(one.answers.getLast())).isEqualTo(ErrorCode.CANCELLED);
        assertThat(readers()).isZero();
        one.fails(ErrorCode.FAILED_TRANSACTION, READ, 1L);
        one.run("ROLLBACK");
    }

    @Test
    void aQueryThatTakesTooLongEndsIt() {
        Client one = new Client().begin(READ_ONLY);
        one.read(1);
        int before = one.answers.size();
        one.send(TOTAL);
        bank.settleFibers(); // and no partition answers
        bank.time.advance(30_000_000_000L);
        bank.settle();
        assertThat(one.answers).hasSize(before + 1);
        assertThat(SteppedDatabase.code(one.answers.getLast())).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(readers()).isZero();
        one.run("ROLLBACK");
    }

    @Test
    void openOnesLockNothing() {
        Client one = new Client().begin(READ_ONLY);
        Client two = new Client().begin(READ_ONLY);
        one.run(TOTAL);
        two.run(TOTAL);
        Client writer = new Client().begin();
        writer.changes(ADD, 5L, 1L);
        writer.changes(ADD, -5L, 2L);
        writer.commits();
        assertThat(SteppedDatabase.value(bank.call("Transfer", 1L, 2L, 5L))).isNotEqualTo(Long.MIN_VALUE);
        assertThat(one.read(1)).isEqualTo(100);
        one.commits();
        two.commits();
    }

    /** A user without rights reads no table in it. */
    @Test
    void rightsAreNeeded() {
        Client one = new Client().begin(READ_ONLY);
        one.read(1);
        int before = one.answers.size();
        TransactionRequest.AdHoc read = one.request(99, READ, 1L);
        sessions.execute(
                one.transaction,
                new TransactionRequest.AdHoc(
                        read.clientId(),
                        read.requestId(),
                        0,
                        read.consistency(),
                        read.sql(),
                        read.parameters(),
                        Caller.user("nobody", CallerListener.none())),
                one);
        bank.settle();
        assertThat(one.answers).hasSize(before + 1);
        assertThat(SteppedDatabase.code(one.answers.getLast())).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(one.read(1)).isEqualTo(100);
        one.commits();
    }
}
