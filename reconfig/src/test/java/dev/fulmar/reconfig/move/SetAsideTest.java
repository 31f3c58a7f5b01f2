package dev.fulmar.reconfig.move;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SetAsideTest {
    private static final long MILLI = 1_000_000;

    private final SetAside aside = new SetAside();

    private boolean isAside(int destination, long atMillis) {
        return aside.at(atMillis * MILLI).contains(destination);
    }

    @Test
    void aFailureSetsItsDestinationAsideForAMoment() {
        aside.failed(1, 0, 0);
        assertThat(aside.at(99 * MILLI)).containsExactly(1);
        assertThat(aside.at(100 * MILLI)).isEmpty();
    }

    @Test
    void theTimeDoublesUpToTwoSeconds() {
        for (int times = 0; times < 100; times++) {
            aside.failed(1, 0, 0);
        }
        assertThat(isAside(1, 1_999)).isTrue();
        assertThat(isAside(1, 2_000)).isFalse();
        aside.succeeded(1);
        aside.failed(1, 0, 0);
        assertThat(isAside(1, 100)).as("after a success").isFalse();
    }

    @Test
    void othersMoveForAsLongAsAMoveWaitedInVain() {
        aside.failed(1, 10_000 * MILLI, 10_000 * MILLI);
        assertThat(isAside(1, 19_999)).isTrue();
        assertThat(isAside(1, 20_000)).isFalse();
    }

    /** After a pause an operator may have mended what was wrong. */
    @Test
    void allHaveTheirTurnsAfterAPause() {
        aside.failed(1, 10_000 * MILLI, 0);
        aside.clear();
        assertThat(isAside(1, 0)).isFalse();
    }
}
