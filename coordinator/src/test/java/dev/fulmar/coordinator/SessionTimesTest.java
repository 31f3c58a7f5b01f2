package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.session.OpenSession;
import dev.fulmar.foundation.error.ErrorCode;
import org.junit.jupiter.api.Test;

/** How long transactions of sessions may last, and their clients may think. */
class SessionTimesTest extends SessionBank {
    /** Else ten thousand clients that think for ever would let nobody begin. */
    @Test
    void aTransactionThatHasFailedEndsByItself() {
        Client one = new Client().begin();
        one.changes(ADD, 1L, 1L);
        for (int i = 0; i < 2; i++) {
            assertThat(sessions.openTransactions()).isEqualTo(1);
            bank.time.advance(LIMITS.idleNanos() + 1);
            bank.settle();
        }
        assertThat(sessions.openTransactions()).isZero();
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
    }

    @Test
    void aTransactionMayNotLastLongerThanAllItsTime() {
        Client one = new Client().begin();
        for (long nanos = 0; nanos < LIMITS.totalNanos(); nanos += LIMITS.idleNanos() / 2) {
            one.run("ROLLBACK TO nowhere");
            bank.time.advance(LIMITS.idleNanos() / 2);
            bank.settle();
        }
        one.fails(ErrorCode.IDLE_TRANSACTION, "COMMIT");
    }

    /** A statement is always under way, so nobody ever finds its client idle. */
    @Test
    void aClientThatNeverRestsHasNoMoreTime() {
        Client one = new Client().begin();
        for (long nanos = 0; nanos < LIMITS.totalNanos(); nanos += LIMITS.idleNanos()) {
            assertThat(one.answers.getLast()).isInstanceOf(Committed.class);
            one.send(READ, 1L);
            bank.time.advance(LIMITS.idleNanos());
            bank.settle();
        }
        one.fails(ErrorCode.IDLE_TRANSACTION, READ, 1L);
        one.fails(ErrorCode.FAILED_TRANSACTION, READ, 1L);
        one.run("ROLLBACK");
    }

    /** The look that was to find its client idle comes soon after the failure. */
    @Test
    void aClientHasItsTimeToHearOfAFailure() {
        Client one = new Client().begin();
        assertThat(one.read(1)).isEqualTo(100);
        bank.sql(ADD, 1L, 1L);
        bank.time.advance(LIMITS.idleNanos() - 1_000);
        bank.settle();
        one.fails(ErrorCode.SERIALIZATION_FAILURE, READ, 1L);
        bank.time.advance(LIMITS.idleNanos() - 1_000);
        bank.settle();
        one.fails(ErrorCode.FAILED_TRANSACTION, READ, 1L);
        bank.time.advance(LIMITS.idleNanos() + 1);
        bank.settle();
        assertThat(sessions.openTransactions()).isZero();
    }

    /** A look that was planned for a later time comes at the end of the transaction's time. */
    @Test
    void aClientThatRestsHasNoMoreThanAllItsTime() {
        long half = LIMITS.idleNanos() / 2;
        Client one = new Client().begin();
        rest(half);
        one.read(1);
        rest(half); // a look, and the next one in half the time
        execute(one, half);
        long nanos = 3 * half;
        while (nanos + LIMITS.idleNanos() < LIMITS.totalNanos()) {
            execute(one, LIMITS.idleNanos());
            nanos += LIMITS.idleNanos();
        }
        assertThat(sessions.oldest(1).getFirst().state()).isEqualTo(OpenSession.State.IDLE);
        rest(LIMITS.totalNanos() - nanos);
        assertThat(sessions.oldest(1).getFirst().state()).isEqualTo(OpenSession.State.FAILED);
        one.run("ROLLBACK");
    }

    private void rest(long nanos) {
        bank.time.advance(nanos);
        bank.settle();
    }

    /** A statement that takes some time. */
    private void execute(Client client, long nanos) {
        client.send(READ, 1L);
        rest(nanos);
    }
}
