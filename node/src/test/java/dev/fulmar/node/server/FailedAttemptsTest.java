package dev.fulmar.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailedAttemptsTest {
    private final FailedAttempts attempts = new FailedAttempts();

    @Test
    void eachFailureWaitsTwiceAsLongUpToALimit() {
        assertThat(attempts.failed("a", 0)).isEqualTo(FailedAttempts.FIRST_DELAY_NANOS);
        assertThat(attempts.failed("a", 1)).isEqualTo(2 * FailedAttempts.FIRST_DELAY_NANOS);
        for (int i = 0; i < 20; i++) {
            attempts.failed("a", 2);
        }
        assertThat(attempts.failed("a", 3)).isEqualTo(FailedAttempts.LAST_DELAY_NANOS);
    }

    @Test
    void othersDoNotWaitForIt() {
        attempts.failed("a", 0);
        assertThat(attempts.failed("b", 1)).isEqualTo(FailedAttempts.FIRST_DELAY_NANOS);
    }

    @Test
    void itIsForgottenInTheEnd() {
        attempts.failed("a", 0);
        assertThat(attempts.failed("a", FailedAttempts.MEMORY_NANOS + 1)).isEqualTo(FailedAttempts.FIRST_DELAY_NANOS);
    }

    @Test
    void manyAddressesTakeNoMoreMemory() {
        attempts.failed("first", 0);
        for (int i = 0; i < 10_000; i++) {
            attempts.failed("address " + i, 0);
        }
        assertThat(attempts.failed("first", 1)).as("forgotten").isEqualTo(FailedAttempts.FIRST_DELAY_NANOS);
    }
}
