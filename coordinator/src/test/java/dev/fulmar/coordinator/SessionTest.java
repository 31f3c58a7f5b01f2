package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.session.OpenSession;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.wire.session.Isolation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transactions of many statements, one against another. */
class SessionTest extends SessionBank {
    @Test
    void aTransactionSeesItsOwnChangesAndNobodyElseDoesBeforeItsCommit() {
        Client one = new Client().begin();
        one.changes(ADD, 5L, 1L);
        one.changes(INSERT, 9L, 7L);
        one.changes(DELETE, 2L);
        assertThat(one.read(1)).isEqualTo(105);
        assertThat(one.read(9)).isEqualTo(7);
        assertThat(one.read(2)).isEqualTo(-1);
        assertThat(SteppedDatabase.cell(one.run(TOTAL))).isEqualTo(512);
        assertThat(SteppedDatabase.cell(bank.sql(TOTAL))).isEqualTo(600);
        one.commits();
        assertThat(SteppedDatabase.cell(bank.sql(TOTAL))).isEqualTo(512);
        assertThat(bank.balance(9)).isEqualTo(7);
    }

    @Test
    void aRollbackLeavesNothing() {
        Client one = new Client().begin();
        one.changes(SET, 5L, 1L);
        assertThat(one.run("ROLLBACK")).isInstanceOf(Committed.class);
        assertThat(bank.balance(1)).isEqualTo(100);
        one.fails(ErrorCode.NO_ACTIVE_TRANSACTION, READ, 1L);
        one.begin();
        assertThat(one.read(1)).isEqualTo(100);
        one.commits();
    }

    /** It has run again since, on the state in which it was seen first. */
    @Test
    void aValueThatWasReadLongAgoAndHasChangedEndsTheTransaction() {
        Client one = new Client().begin();
        for (int i = 0; i < 4; i++) {
            assertThat(one.read(1)).isEqualTo(100);
        }
        bank.sql(ADD, 1L, 1L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, READ, 1L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
    }

    /** Lost update (P4), and read skew (G-single) at the next statement. */
    @Test
    void aValueThatWasReadAndHasChangedEndsTheTransaction() {
        Client one = new Client().begin();
        long seen = one.read(1);
        bank.sql(ADD, 1L, 1L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, SET, seen + 10, 1L);
        one.fails(ErrorCode.FAILED_TRANSACTION, READ, 1L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
        assertThat(bank.balance(1)).isEqualTo(101);
    }

    @Test
    void aValueThatChangesBeforeTheCommitEndsTheTransaction() {
        Client one = new Client().begin();
        one.changes(SET, one.read(1) + 10, 1L);
        bank.sql(ADD, 1L, 1L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
        assertThat(bank.balance(1)).isEqualTo(101);
    }

    @Test
    void onlyOneOfTwoThatReadWhatTheOtherWritesCommits() {
        Client one = new Client().begin();
        Client two = new Client().begin();
        assertThat(one.read(1) + one.read(2)).isEqualTo(200);
        assertThat(two.read(1) + two.read(2)).isEqualTo(200);
        one.changes(ADD, -150L, 1L);
        two.changes(ADD, -150L, 2L);
        one.commits();
        two.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
        assertThat(bank.balance(1) + bank.balance(2)).isEqualTo(50);
    }

    /** A phantom: the row was not there when the range was read. */
    @Test
    void aRowThatComesIntoARangeThatWasReadEndsTheTransaction() {
        Client one = new Client().begin();
        long total = SteppedDatabase.cell(one.run(TOTAL));
        one.changes(SET, total, 5L);
        bank.sql(INSERT, 7L, 1L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
    }

    @Test
    void aKeyThatWasAbsentAndComesEndsTheTransaction() {
        Client one = new Client().begin();
        assertThat(one.read(8)).isEqualTo(-1);
        one.changes(ADD, 1L, 1L);
        bank.sql(INSERT, 8L, 1L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
    }

    /** The value was shown to no client, so it may be any. */
    @Test
    void sumsOfTwoTransactionsAddUp() {
        Client one = new Client().begin();
        Client two = new Client().begin();
        one.changes(ADD, 3L, 1L);
        two.changes(ADD, 4L, 1L);
        bank.sql(ADD, 5L, 1L);
        one.commits();
        two.commits();
        assertThat(bank.balance(1)).isEqualTo(112);
    }

    @Test
    void aRowThatWasChangedAndIsDeletedEndsTheTransaction() {
        Client one = new Client().begin();
        one.changes(ADD, 3L, 1L);
        bank.sql(DELETE, 1L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
    }

    @Test
    void aStatementThatFailsIsUndoneAlone() {
        Client one = new Client().begin();
        one.changes(ADD, 1L, 1L);
        one.fails(ErrorCode.UNIQUE_VIOLATION, INSERT, 2L, 0L);
        one.changes(INSERT, 7L, 0L);
        one.fails(ErrorCode.UNIQUE_VIOLATION, INSERT, 7L, 0L);
        one.fails(ErrorCode.SYNTAX, "SELEKT 1");
        one.fails(ErrorCode.ACTIVE_TRANSACTION, "BEGIN");
        one.commits();
        assertThat(bank.balance(1)).isEqualTo(101);
        assertThat(bank.balance(7)).isZero();
    }

    /** A unique key that another transaction takes: what was inserted is not there, as nobody saw it. */
    @Test
    void aKeyThatAnotherOneTakesEndsTheTransaction() {
        Client one = new Client().begin();
        one.changes(INSERT, 7L, 1L);
        bank.sql(INSERT, 7L, 2L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
        assertThat(bank.balance(7)).isEqualTo(2);
    }

    @Test
    void aSavepointTakesBackWhatCameAfterIt() {
        Client one = new Client().begin();
        one.changes(ADD, 1L, 1L);
        one.run("SAVEPOINT first");
        one.changes(ADD, 10L, 1L);
        one.run("SAVEPOINT second");
        long seen = one.read(2);
        one.run("ROLLBACK TO SAVEPOINT first");
        assertThat(one.read(1)).isEqualTo(101);
        one.fails(ErrorCode.UNKNOWN_SAVEPOINT, "ROLLBACK TO second");
        bank.sql(ADD, seen, 2L); // forgotten with its statement
        one.changes(ADD, 100L, 1L);
        one.run("RELEASE SAVEPOINT first");
        one.fails(ErrorCode.UNKNOWN_SAVEPOINT, "ROLLBACK TO first");
        one.commits();
        assertThat(bank.balance(1)).isEqualTo(201);
    }

    @Test
    void aClientThatThinksTooLongHasLostItsTransaction() {
        Client one = new Client().begin();
        one.changes(ADD, 1L, 1L);
        assertThat(sessions.takenBytes()).isPositive();
        bank.time.advance(LIMITS.idleNanos() / 2);
        one.changes(ADD, 1L, 1L);
        bank.time.advance(LIMITS.idleNanos() / 2 + 1);
        bank.settle();
        one.changes(ADD, 1L, 1L);
        bank.time.advance(LIMITS.idleNanos() + 1);
        bank.settle();
        assertThat(sessions.takenBytes()).isZero();
        assertThat(sessions.timedOut()).isEqualTo(1);
        one.fails(ErrorCode.IDLE_TRANSACTION, ADD, 1L, 1L);
        one.fails(ErrorCode.FAILED_TRANSACTION, ADD, 1L, 1L);
        one.fails(ErrorCode.IDLE_TRANSACTION, "COMMIT");
        assertThat(bank.balance(1)).isEqualTo(100);
    }

    /** A statement that runs longer than a client may think is looked at now and then, not all the time. */
    @Test
    @Timeout(60)
    void aClientThatWaitsDoesNotThink() {
        Client one = new Client().begin();
        one.send(ADD, 1L, 1L);
        bank.time.advance(3 * LIMITS.idleNanos());
        bank.settle();
        assertThat(one.answers.getLast()).isInstanceOf(Committed.class);
        one.commits();
    }

    /** A client that looks at its session as soon as it has an answer sees the statement. */
    @Test
    void anAnswerComesWhenTheSessionShowsItsStatement() {
        Client one = new Client().begin();
        List<String> seen = new ArrayList<>();
        one.atAnswer =
                () -> sessions.oldest(1).forEach(session -> seen.add(session.state() + " " + session.statements()));
        one.changes(ADD, 1L, 1L);
        one.run(READ + " FOR UPDATE", 2L);
        assertThat(seen).containsExactly("IDLE 1", "IDLE 2");
        one.run("ROLLBACK");
    }

    @Test
    void openTransactionsAreListedWithTheOldestFirst() {
        Client one = new Client().begin();
        Client two = new Client().begin("BEGIN ISOLATION LEVEL READ COMMITTED");
        Client three = new Client().begin("BEGIN READ ONLY");
        one.changes(ADD, 1L, 1L);
        one.changes(ADD, 1L, 1L);
        one.run(READ + " FOR UPDATE", 2L);
        two.send(READ + " FOR UPDATE", 2L);
        three.send(READ, 1L);
        assertThat(sessions.oldest(10))
                .extracting(OpenSession::state)
                .as("three's statement has not run, for nothing ran since")
                .containsExactly(OpenSession.State.IDLE, OpenSession.State.WAITING, OpenSession.State.RUNNING);
        bank.settle();
        bank.time.advance(LIMITS.idleNanos() / 2);
        OpenSession first = sessions.oldest(1).getFirst();
        assertThat(first.statements()).isEqualTo(3);
        assertThat(first.stateNanos()).isEqualTo(LIMITS.idleNanos() / 2);
        assertThat(first.bytes()).isPositive();
        assertThat(first.client() + first.user() + first.number()).isEqualTo("client 11");
        assertThat(sessions.oldest(10).stream().mapToLong(OpenSession::bytes).sum())
                .isEqualTo(sessions.takenBytes());
        assertThat(sessions.oldest(10).get(1).mode().isolation()).contains(Isolation.READ_COMMITTED);
        assertThat(sessions.oldest(10).get(2).mode().readOnly()).contains(true);
        bank.settle();
        one.send("COMMIT");
        assertThat(sessions.oldest(1).getFirst().state()).isEqualTo(OpenSession.State.COMMITTING);
        bank.settle();
        assertThat(sessions.oldest(10)).extracting(OpenSession::client).containsExactly("client 2", "client 3");
        bank.time.advance(LIMITS.idleNanos() + 1);
        bank.settle();
        assertThat(sessions.oldest(10)).extracting(OpenSession::state).containsOnly(OpenSession.State.FAILED);
        two.run("ROLLBACK");
        three.run("ROLLBACK");
        assertThat(sessions.oldest(10)).isEmpty();
    }

    @Test
    void aClientThatIsGoneLeavesNothing() {
        Client one = new Client().begin();
        one.changes(ADD, 1L, 1L);
        one.leaves();
        assertThat(sessions.openTransactions()).isZero();
        assertThat(bank.balance(1)).isEqualTo(100);
    }

    /** Its connection broke while a statement ran, and COMMIT waited behind it. */
    @Test
    void aCommitThatWaitsIsNotBegunForAClientThatIsGone() {
        Client one = new Client().begin();
        one.send(ADD, 1L, 1L);
        one.send("COMMIT");
        one.leaves();
        assertThat(bank.balance(1)).isEqualTo(100);
        assertThat(one.answers).as("all are answered").hasSize(3);
    }

    /** A failure that was shown must come again, too. */
    @Test
    void aKeyThatWasThereAndGoesEndsTheTransaction() {
        Client one = new Client().begin();
        one.fails(ErrorCode.UNIQUE_VIOLATION, INSERT, 2L, 0L);
        one.changes(ADD, 1L, 1L);
        assertThat(bank.balance(2)).isEqualTo(100);
        one.changes(ADD, 1L, 1L);
        bank.sql(DELETE, 2L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
        assertThat(bank.balance(1)).isEqualTo(100);
    }

    @Test
    void anEmptyStatementIsRefused() {
        Client one = new Client().begin();
        one.changes(ADD, 1L, 1L);
        one.fails(ErrorCode.SYNTAX, "");
        one.changes(ADD, 1L, 1L);
        one.commits();
        assertThat(bank.balance(1)).isEqualTo(102);
    }

    @Test
    void savepointsAreLimitedToo() {
        Client one = new Client().begin();
        for (int i = 0; i < LIMITS.statements(); i++) {
            assertThat(one.run("SAVEPOINT a")).isInstanceOf(Committed.class);
        }
        one.fails(ErrorCode.TRANSACTION_TOO_LARGE, "SAVEPOINT a");
        assertThat(sessions.takenBytes()).isPositive();
        one.commits();
    }

    @Test
    void aTransactionHasLimits() {
        Client one = new Client().begin();
        for (int i = 0; i < LIMITS.statements(); i++) {
            one.changes(ADD, 1L, 1L);
        }
        one.fails(ErrorCode.TRANSACTION_TOO_LARGE, ADD, 1L, 1L);
        one.commits();
        assertThat(bank.balance(1)).isEqualTo(100 + LIMITS.statements());
    }

    /** Statements with one text have it together, so that many rows fit into a transaction. */
    @Test
    void oneTextIsCountedOnce() {
        Client one = new Client().begin();
        one.changes(ADD, 1L, 1L);
        long first = sessions.takenBytes();
        one.changes(ADD, 1L, 2L);
        long second = sessions.takenBytes() - first;
        assertThat(first - second).isEqualTo(2L * ADD.length());
        one.changes(DELETE, 2L);
        one.changes(ADD, 1L, 3L);
        assertThat(sessions.takenBytes()).isGreaterThan(2 * first);
        one.run("ROLLBACK");
        assertThat(sessions.takenBytes()).isZero();
    }

    /** The statements are answered in their order, each after those before it. */
    @Test
    void statementsMayBeSentWithoutWaiting() {
        Client one = new Client();
        one.transaction = 1;
        one.send("BEGIN");
        one.send(ADD, 1L, 1L);
        one.send(ADD, 1L, 1L);
        one.send(READ, 1L);
        one.send("COMMIT");
        bank.settle();
        assertThat(one.answers).hasSize(5).allMatch(answer -> answer instanceof Committed);
        assertThat(SteppedDatabase.cell(one.answers.get(3))).isEqualTo(102);
        assertThat(bank.balance(1)).isEqualTo(102);
    }

    /** One of many that wait together fails: those before it and after it count. */
    @Test
    void statementsThatWaitTogetherFailAlone() {
        Client one = new Client().begin();
        one.send(READ, 1L);
        one.send(INSERT, 7L, 7L);
        one.send(INSERT, 2L, 0L);
        one.send(INSERT, 8L, 8L);
        one.send(INSERT, 7L, 0L);
        one.send(ADD, 1L, 7L);
        one.send("INSERT nonsense");
        one.send(ADD, 1L, 8L);
        one.send(READ, 7L);
        one.send("COMMIT");
        bank.settle();
        List<ErrorCode> codes = one.answers.stream()
                .map(answer -> answer instanceof Committed ? ErrorCode.USER_ABORT : SteppedDatabase.code(answer))
                .toList();
        ErrorCode done = ErrorCode.USER_ABORT;
        ErrorCode twice = ErrorCode.UNIQUE_VIOLATION;
        assertThat(codes)
                .containsExactly(done, done, done, twice, done, twice, done, ErrorCode.SYNTAX, done, done, done);
        assertThat(SteppedDatabase.cell(one.answers.get(9))).isEqualTo(8);
        assertThat(bank.balance(7)).isEqualTo(8);
        assertThat(bank.balance(8)).isEqualTo(9);
    }

    /** Else a thousand statements would be half a million. */
    @Test
    void statementsThatWaitTogetherRunTogether() {
        Client one = new Client().begin();
        router.count = 0;
        one.send(ADD, 1L, 1L);
        for (int i = 0; i < 15; i++) {
            one.send(ADD, 1L, 1L);
        }
        bank.settle();
        assertThat(router.count).as("transactions").isEqualTo(2);
        assertThat(one.answers).hasSize(17);
        one.commits();
        assertThat(bank.balance(1)).isEqualTo(116);
    }

    /** A batch is quartered until the one that cannot be planned is alone, and doubled again behind it. */
    @Test
    void oneThatCannotBePlannedCostsTheOthersLittle() {
        Client one = new Client().begin();
        router.count = 0;
        one.send(READ, 1L);
        for (int i = 0; i < 4; i++) {
            one.send(ADD, 1L, 1L);
        }
        one.send("INSERT nonsense");
        for (int i = 0; i < 10; i++) {
            one.send(ADD, 1L, 1L);
        }
        bank.settle();
        assertThat(one.answers).hasSize(17);
        assertThat(SteppedDatabase.code(one.answers.get(6))).isEqualTo(ErrorCode.SYNTAX);
        assertThat(router.count).as("transactions").isLessThanOrEqualTo(10);
        one.commits();
        assertThat(bank.balance(1)).isEqualTo(114);
    }

    /** Statements of which nobody is shown a result commit together, or leave nothing. */
    @Test
    void statementsThatRunOnceCommitOrLeaveNothing() {
        Client one = new Client();
        List<TransactionRequest.AdHoc> statements =
                List.of(one.request(7, INSERT, 7L, 7L), one.request(7, INSERT, 8L, 8L), one.request(7, ADD, 1L, 1L));
        router.count = 0;
        sessions.executeTogether(statements, one.request(7, "COMMIT"), one);
        bank.settle();
        assertThat(one.answers).singleElement().isInstanceOf(Committed.class);
        assertThat(router.count).as("transactions").isOne();
        assertThat(bank.balance(7) + bank.balance(8) + bank.balance(1)).isEqualTo(116);
        sessions.executeTogether(
                List.of(one.request(8, ADD, 1L, 1L), one.request(8, INSERT, 9L, 9L), one.request(8, INSERT, 7L, 7L)),
                one.request(8, "COMMIT"),
                one);
        bank.settle();
        assertThat(SteppedDatabase.code(one.answers.getLast())).isEqualTo(ErrorCode.UNIQUE_VIOLATION);
        assertThat(bank.balance(1)).as("nothing of it stays").isEqualTo(101);
        if (one.asksForOutcomes()) { // else nobody sends it again
            sessions.executeTogether(statements, one.request(7, "COMMIT"), one);
            bank.settle();
            assertThat(one.answers.getLast()).as("sent again under its handle").isInstanceOf(Committed.class);
            assertThat(bank.balance(1)).isEqualTo(101);
        }
    }

    /** Its connection is sound, so no other code says what is to be done. */
    @Test
    void aTransactionThatHasShownResultsIsToRunAgain() {
        for (ErrorCode code : List.of(
                ErrorCode.NOT_CONNECTED,
                ErrorCode.WRONG_NODE,
                ErrorCode.SERVER_BUSY,
                ErrorCode.NODE_STOPPING,
                ErrorCode.CATALOG_CHANGED)) {
            Client one = new Client().begin();
            assertThat(one.read(1)).isEqualTo(100);
            router.refusal = code;
            one.fails(ErrorCode.SERIALIZATION_FAILURE, ADD, 1L, 1L);
            router.refusal = null;
            one.fails(ErrorCode.FAILED_TRANSACTION, ADD, 1L, 1L);
            one.run("ROLLBACK");
        }
        Client two = new Client().begin();
        router.refusal = ErrorCode.OUTCOME_UNKNOWN;
        two.fails(ErrorCode.OUTCOME_UNKNOWN, ADD, 1L, 1L);
        router.refusal = null;
        two.run("ROLLBACK");
        assertThat(bank.balance(1)).isEqualTo(100);
    }

    @Test
    void whoDidNotHearTheAnswerToACommitAsksForIt() {
        Client one = new Client().asking().begin();
        one.changes(ADD, 1L, 1L);
        one.commits();
        long commit = one.requests;
        sessions.execute(one.transaction, one.request(commit, "COMMIT"), one);
        bank.settle();
        assertThat(one.answers.getLast()).isInstanceOf(Committed.class);
        assertThat(bank.balance(1)).isEqualTo(101);
    }

    /** The question comes first: the COMMIT is on its way yet, from a connection that is lost. */
    @Test
    void aCommitThatWasAskedForIsNotExecutedLater() {
        Client one = new Client().asking().begin();
        one.changes(ADD, 1L, 1L);
        long commit = one.requests + 1;
        Client again = new Client();
        sessions.execute(1, one.request(commit, "COMMIT"), again);
        bank.settle();
        assertThat(SteppedDatabase.code(again.answers.getLast())).isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
        assertThat(bank.balance(1)).isEqualTo(100);
    }

    /** Money goes to and fro in transactions under way at the same time, and none is made or lost. */
    @RepeatedTest(60)
    void noMoneyIsMadeOrLost(RepetitionInfo repetition) {
        SeededRandom random = new SeededRandom(repetition.getCurrentRepetition());
        List<Transfers> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.add(new Transfers(random));
        }
        for (int step = 0; step < 200; step++) {
            all.get(random.nextInt(all.size())).step();
        }
        all.forEach(Transfers::end);
        assertThat(SteppedDatabase.cell(bank.sql(TOTAL))).isEqualTo(600);
        assertThat(all.stream().mapToInt(one -> one.committed).sum()).isPositive();
    }

    /** Each transaction reads two accounts, and writes what it has computed from them. */
    private final class Transfers {
        private final SeededRandom random;
        private final Client client = new Client();
        private final List<Long> balances = new ArrayList<>();
        private long from;
        private long to;
        private int committed;
        private boolean isOpen;

        Transfers(SeededRandom random) {
            this.random = random;
        }

        void step() {
            if (!isOpen) {
                from = random.nextInt(6);
                to = (from + 1 + random.nextInt(5)) % 6;
                balances.clear();
                client.begin();
                isOpen = true;
                return;
            }
            TransactionResponse answer = switch (balances.size()) {
                case 0 -> client.run(READ, from);
                case 1 -> client.run(READ, to);
                case 2 -> client.run(SET, balances.get(0) - 7, from);
                case 3 -> client.run(SET, balances.get(1) + 7, to);
                default -> client.run("COMMIT");
            };
            if (answer instanceof Committed) {
                boolean isRead = balances.size() < 2;
                committed += balances.size() == 4 ? 1 : 0;
                isOpen = balances.size() < 4;
                balances.add(isRead ? SteppedDatabase.cell(answer) : 0);
            } else {
                assertThat(SteppedDatabase.code(answer)).isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
                isOpen = balances.size() < 4;
                end();
            }
        }

        void end() {
            if (isOpen) {
                client.run("ROLLBACK");
                isOpen = false;
            }
        }
    }
}
