package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Transactions whose statements and COMMIT were sent at once: they run again while their client knows nothing. */
class SessionRunAgainTest extends SessionBank {
    private int conflicts;

    /** Another transaction changes an account before the runs that end so, as often as is said. */
    private void changesBefore(ScriptEnding ending, int times) {
        conflicts = times;
        router.before = script -> {
            if (script.ending() == ending && conflicts > 0) {
                conflicts--;
                bank.sql(ADD, 1L, 1L);
            }
        };
    }

    private List<ErrorCode> failures(Client client) {
        return client.answers.stream()
                .filter(answer -> answer instanceof TransactionResponse.Failed)
                .map(SteppedDatabase::code)
                .toList();
    }

    /** Reads an account and writes another one, in one go after BEGIN. */
    private Client sendsAll() {
        Client one = new Client().begin();
        one.send(READ, 1L);
        one.send(SET, 7L, 2L);
        one.send("COMMIT");
        bank.settle();
        return one;
    }

    @Test
    void aCommitThatFailsForAnotherTransactionIsNoEnd() {
        changesBefore(ScriptEnding.COMMIT, 1);
        Client one = sendsAll();

        assertThat(one.answers).hasSize(4);
        assertThat(failures(one)).isEmpty();
        assertThat(SteppedDatabase.cell(one.answers.get(1)))
                .as("of the run that counts")
                .isEqualTo(101);
        assertThat(bank.balance(2)).isEqualTo(7);
        assertThat(sessions.serializationFailures()).isZero();
    }

    @Test
    void aStatementThatFailsForAnotherTransactionIsNoEnd() {
        conflicts = 1;
        router.before = script -> {
            if (script.steps().size() == 2 && conflicts-- == 1) {
                bank.sql(ADD, 1L, 1L);
            }
        };
        Client one = sendsAll();

        assertThat(failures(one)).isEmpty();
        assertThat(SteppedDatabase.cell(one.answers.get(1))).isEqualTo(101);
        assertThat(bank.balance(2)).isEqualTo(7);
    }

    @Test
    void runsAreBounded() {
        changesBefore(ScriptEnding.COMMIT, 10);
        Client one = sendsAll();

        assertThat(10 - conflicts).as("runs").isEqualTo(1 + LIMITS.reruns());
        assertThat(one.answers).hasSize(4);
        assertThat(failures(one)).containsExactly(ErrorCode.SERIALIZATION_FAILURE);
        assertThat(one.answers.getLast()).isInstanceOf(TransactionResponse.Failed.class);
        assertThat(SteppedDatabase.cell(one.answers.get(1)))
                .as("what the last run has read")
                .isEqualTo(100 + LIMITS.reruns());
        assertThat(bank.balance(2)).isEqualTo(100);
        assertThat(sessions.serializationFailures()).isEqualTo(1);
    }

    /** The client waited for the first answer, and may have decided by it. */
    @Test
    void aTransactionOneOfWhoseAnswersHasLeftIsTold() {
        Client one = new Client().begin();
        assertThat(one.read(1)).isEqualTo(100);
        changesBefore(ScriptEnding.COMMIT, 1);
        one.send(SET, 7L, 2L);
        one.send("COMMIT");
        bank.settle();

        assertThat(failures(one)).containsExactly(ErrorCode.SERIALIZATION_FAILURE);
        assertThat(bank.balance(2)).isEqualTo(100);
    }

    /** Its client has got nothing but the answer to BEGIN. */
    @Test
    void theFirstStatementRunsAgain() {
        Client one = new Client().begin();
        router.refusal = ErrorCode.SERIALIZATION_FAILURE;
        router.before = script -> router.refusal = router.count > 2 ? null : router.refusal;
        router.count = 0;

        assertThat(one.read(1)).isEqualTo(100);
        assertThat(router.count).isEqualTo(1 + LIMITS.reruns());
        one.commits();
    }

    @Test
    void aCommitWithoutAKnownOutcomeNeverRunsAgain() {
        for (ErrorCode code : List.of(ErrorCode.OUTCOME_UNKNOWN, ErrorCode.TIMEOUT, ErrorCode.NODE_LOST)) {
            router.before = script -> router.refusal = script.ending() == ScriptEnding.COMMIT ? code : null;
            router.count = 0;
            Client one = sendsAll();

            assertThat(failures(one)).containsExactly(code);
            assertThat(router.count).isEqualTo(3);
            router.refusal = null;
        }
    }

    // Clients that ask for the outcome.

    /** The question comes between two runs: its answer is the end. */
    @Test
    void aCommitThatWasAskedForIsNotExecutedByALaterRun() {
        changesBefore(ScriptEnding.COMMIT, 1);
        Client again = new Client();
        Client one = new Client().asking().begin();
        long commit = one.requests + 3;
        asksAfter(ScriptEnding.COMMIT, one, commit, again, false);
        one.send(READ, 1L);
        one.send(SET, 7L, 2L);
        one.send("COMMIT");
        bank.settle();

        assertThat(SteppedDatabase.code(again.answers.getFirst())).isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
        assertThat(failures(one)).containsExactly(ErrorCode.SERIALIZATION_FAILURE);
        assertThat(bank.balance(2))
                .as("the client was told that it was not committed")
                .isEqualTo(100);
    }

    /** The question waits for the first run's COMMIT, and hears that it failed. */
    @Test
    void aCommitThatIsAskedForWhileItRunsIsNotExecutedByALaterRun() {
        changesBefore(ScriptEnding.COMMIT, 1);
        Client again = new Client();
        Client one = new Client().asking().begin();
        asksAfter(ScriptEnding.COMMIT, one, one.requests + 3, again, true);
        one.send(READ, 1L);
        one.send(SET, 7L, 2L);
        one.send("COMMIT");
        bank.settle();

        assertThat(SteppedDatabase.code(again.answers.getFirst())).isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
        assertThat(failures(one)).containsExactly(ErrorCode.SERIALIZATION_FAILURE);
        assertThat(bank.balance(2)).isEqualTo(100);
    }

    /**
     * Another connection of a client asks what became of its COMMIT.
     *
     * @param isAtOnce whether it asks while that is under way, else when the next run begins
     */
    private void asksAfter(ScriptEnding ending, Client one, long commit, Client again, boolean isAtOnce) {
        router.after = script -> {
            if (again.requests == 0 && (script.ending() == ending) == isAtOnce && conflicts == 0) {
                again.requests++;
                sessions.execute(1, one.request(commit, "COMMIT"), again);
                if (!isAtOnce) {
                    bank.settle();
                }
            }
        };
    }

    /** A client that hears 40001 hears it again. */
    @Test
    void aCommitThatWasToldToHaveFailedHasFailed() {
        changesBefore(ScriptEnding.COMMIT, 10);
        Client one = sendsAll();
        long commit = one.requests;
        sessions.execute(one.transaction, one.request(commit, "COMMIT"), one);
        bank.settle();

        assertThat(SteppedDatabase.code(one.answers.getLast())).isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
        assertThat(bank.balance(2)).isEqualTo(100);
    }

    /** No COMMIT of the session is executed any more, for an earlier primary may have told that none will be. */
    @Test
    void nothingRunsAgainUnderAnotherPrimary() {
        conflicts = 0;
        router.before = script -> {
            if (script.ending() == ScriptEnding.COMMIT) {
                conflicts++;
                router.term = 1;
                bank.sql(ADD, 1L, 1L);
            }
        };
        Client one = sendsAll();

        assertThat(failures(one)).containsExactly(ErrorCode.SERIALIZATION_FAILURE);
        assertThat(conflicts).as("runs").isOne();
        router.term = 0;
    }

    // Traces of a run.

    @Test
    void savepointsAreThoseOfTheRun() {
        changesBefore(ScriptEnding.COMMIT, 1);
        Client one = new Client().begin();
        one.send(READ, 1L);
        one.send("SAVEPOINT a");
        one.send(DELETE, 3L);
        one.send("ROLLBACK TO SAVEPOINT a");
        one.send("RELEASE SAVEPOINT a");
        one.send(SET, 7L, 2L);
        one.send("ROLLBACK TO SAVEPOINT a");
        one.send("COMMIT");
        bank.settle();

        assertThat(failures(one))
                .as("the savepoint was released in each run")
                .containsExactly(ErrorCode.UNKNOWN_SAVEPOINT);
        assertThat(bank.balance(2)).isEqualTo(7);
        assertThat(bank.balance(3)).isEqualTo(100);
    }

    @Test
    void cursorsAreThoseOfTheRun() {
        changesBefore(ScriptEnding.COMMIT, 1);
        Client one = new Client().begin();
        one.send("DECLARE c CURSOR FOR " + TOTAL);
        one.send("FETCH c");
        one.send(SET, 7L, 2L);
        one.send("COMMIT");
        bank.settle();

        assertThat(failures(one)).isEmpty();
        assertThat(SteppedDatabase.cell(one.answers.get(2))).isEqualTo(601);
        assertThat(bank.balance(2)).isEqualTo(7);
    }

    /** A statement has the same ones in each run, and no other transaction has them. */
    @Test
    void randomNumbersAreThoseOfTheFirstRun() {
        changesBefore(ScriptEnding.COMMIT, 1);
        List<List<Long>> seeds = new ArrayList<>();
        router.after = script -> {
            if (script.ending() == ScriptEnding.COMMIT) {
                seeds.add(script.steps().stream().map(ScriptStep::seed).toList());
            }
        };
        sendsAll();

        assertThat(seeds).hasSize(2);
        assertThat(seeds.get(0)).isEqualTo(seeds.get(1));
    }

    /** Its client may send it again by itself, as it knows nothing of the first run. */
    @Test
    void aFirstStatementThatIsNotExecutedInALaterRunIsToldAsItIs() {
        Client one = new Client().begin();
        conflicts = 0;
        router.before = script -> {
            if (script.ending() == ScriptEnding.COMMIT) {
                bank.sql(ADD, 1L, 1L);
                conflicts++;
            } else if (conflicts > 0) {
                router.refusal = ErrorCode.SERVER_BUSY;
            }
        };
        one.send(READ, 1L);
        one.send(SET, 7L, 2L);
        one.send("COMMIT");
        bank.settle();

        assertThat(failures(one).getFirst()).isEqualTo(ErrorCode.SERVER_BUSY);
        router.refusal = null;
    }

    /** All answers come, in their order, though one of them is a failure of its own. */
    @Test
    void aStatementThatFailsAloneIsAnsweredInItsPlace() {
        changesBefore(ScriptEnding.COMMIT, 1);
        Client one = new Client().begin();
        one.send(READ, 1L);
        one.send(INSERT, 2L, 0L);
        one.send(READ, 1L);
        one.send(ADD, 1L, 3L);
        one.send("COMMIT");
        bank.settle();

        assertThat(one.answers).hasSize(6);
        assertThat(SteppedDatabase.code(one.answers.get(2))).isEqualTo(ErrorCode.UNIQUE_VIOLATION);
        assertThat(SteppedDatabase.cell(one.answers.get(1))).isEqualTo(101);
        assertThat(SteppedDatabase.cell(one.answers.get(3))).isEqualTo(101);
        assertThat(one.answers.getLast()).isInstanceOf(Committed.class);
    }

    @Test
    void aClientThatIsGoneRunsNothingAgain() {
        Client one = new Client().begin();
        conflicts = 1;
        router.before = script -> {
            if (script.ending() == ScriptEnding.COMMIT && conflicts-- == 1) {
                bank.sql(ADD, 1L, 1L);
                one.isGone = true;
                sessions.departed(one);
            }
        };
        one.send(READ, 1L);
        one.send(SET, 7L, 2L);
        one.send("COMMIT");
        bank.settle();

        assertThat(bank.balance(2)).isEqualTo(100);
    }
}
