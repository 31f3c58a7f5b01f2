package dev.fulmar.foundation.agent.real;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PatienceTest {
    private static final long PATIENCE_NANOS = 100;

    private long nanos;
    private final Patience patience = new Patience(() -> nanos, PATIENCE_NANOS);

    /** A wait in which nothing comes; how often the thread looked before it slept. */
    private int inVain() {
        int looks = 0;
        while (patience.looksAgain()) {
            looks++;
            nanos += PATIENCE_NANOS / 4;
        }
        return looks;
    }

    @Test
    void itEndsAfterItsTime() {
        assertThat(patience.looksAgain()).isTrue();
        nanos += PATIENCE_NANOS - 1;
        assertThat(patience.looksAgain()).isTrue();
        nanos += 1;
        assertThat(patience.looksAgain()).isFalse();
    }

    /** Each wait has the whole time, however long the one before was. */
    @Test
    void aWaitBeginsWithItsFirstLook() {
        patience.looksAgain();
        nanos += PATIENCE_NANOS - 1;
        patience.found();
        nanos += PATIENCE_NANOS;
        assertThat(patience.looksAgain()).isTrue();
        nanos += PATIENCE_NANOS / 2;
        assertThat(patience.looksAgain()).isTrue();
    }

    @Test
    void aThreadWithoutWorkSleepsAtOnceAndTriesNowAndThen() {
        for (int i = 0; i < Patience.MOST_IN_VAIN; i++) {
            assertThat(inVain()).isPositive();
        }
        int patient = 0;
        for (int i = 0; i < 10 * Patience.TRIES; i++) {
            patient += inVain() > 0 ? 1 : 0;
        }
        assertThat(patient).isEqualTo(10);
    }

    @Test
    void aTryThatIsNotInVainMakesItPatientAgain() {
        for (int i = 0; i < Patience.MOST_IN_VAIN; i++) {
            inVain();
        }
        int waits = 0;
        while (!patience.looksAgain()) {
            waits++;
        }
        assertThat(waits).isLessThan(Patience.TRIES);
        patience.found();
        assertThat(inVain()).isPositive();
    }

    @Test
    void noTimeIsNoPatience() {
        Patience none = new Patience(() -> nanos, 0);
        for (int i = 0; i < 2 * Patience.TRIES; i++) {
            assertThat(none.looksAgain()).isFalse();
        }
    }
}
