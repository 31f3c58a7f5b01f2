package dev.fulmar.simulator.verify;

import static dev.fulmar.simulator.verify.Histories.absent;
import static dev.fulmar.simulator.verify.Histories.append;
import static dev.fulmar.simulator.verify.Histories.list;
import static dev.fulmar.simulator.verify.Histories.read;
import static dev.fulmar.simulator.verify.Histories.write;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClaimedOrderVerifierTest {
    private final Histories history = new Histories();

    @Test
    void aTrueOrderIsGood() {
        history.claimed(30, 0, 10, list(1, 1L, 2L), read(1, 5))
                .claimed(10, 0, 10, append(1, 1), absent(1), write(1, 4))
                .claimed(20, 0, 10, append(1, 2), read(1, 4), write(1, 5))
                .failed(0, 3, append(1, 9))
                .unknown(0, append(1, 8));
        Verdict verdict = new ClaimedOrderVerifier().verify(history.transactions());
        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.committed()).isEqualTo(3);
        assertThat(verdict.undecided()).isEqualTo(1);
    }

    @Test
    void aResultThatTheOrderDoesNotGive() {
        history.claimed(1, 0, 10, append(1, 1)).claimed(2, 0, 10, list(1));
        assertThat(history.foundInClaims()).containsExactly(Anomaly.CLAIMED_RESULT);
    }

    @Test
    void aRegisterThatTheOrderDoesNotGive() {
        history.claimed(1, 0, 10, write(1, 1)).claimed(2, 0, 10, write(1, 2)).claimed(3, 0, 10, read(1, 1));
        assertThat(history.foundInClaims()).containsExactly(Anomaly.CLAIMED_RESULT);
    }

    @Test
    void anOrderAgainstRealTime() {
        history.claimed(2, 0, 1, append(1, 1)).claimed(1, 2, 3, append(2, 1));
        assertThat(history.foundInClaims()).containsExactly(Anomaly.CLAIMED_REALTIME);
    }

    @Test
    void anOrderAgainstRealTimeWithOthersBetween() {
        history.claimed(9, 0, 1, append(1, 1)).claimed(5, 0, 20, append(2, 1)).claimed(1, 2, 30, append(3, 1));
        assertThat(history.foundInClaims()).containsExactly(Anomaly.CLAIMED_REALTIME);
    }

    @Test
    void aPositionClaimedTwice() {
        history.claimed(1, 0, 10, append(1, 1)).claimed(1, 0, 10, append(2, 1));
        assertThat(history.foundInClaims()).containsExactly(Anomaly.CLAIMED_TWICE);
    }

    @Test
    void aPositionNotClaimed() {
        history.ok(0, 1, append(1, 1));
        assertThat(history.foundInClaims()).containsExactly(Anomaly.CLAIM_MISSING);
    }
}
