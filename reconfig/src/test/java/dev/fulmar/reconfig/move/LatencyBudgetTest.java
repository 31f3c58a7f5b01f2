package dev.fulmar.reconfig.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.partition.counter.LatencyHistogram;
import org.junit.jupiter.api.Test;

class LatencyBudgetTest {
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;

    private final LatencyHistogram calls = new LatencyHistogram();
    private final LatencyBudget budget = new LatencyBudget(20, calls);

    /** A window with so many calls of that time. */
    private void window(int count, long nanos) {
        for (int i = 0; i < count; i++) {
            calls.record(nanos);
        }
        budget.look(calls);
    }

    private void listen(int count, long nanos) {
        while (budget.isListening()) {
            window(count, nanos);
        }
    }

    @Test
    void nothingMovesUntilTheTimeWithoutAMoveIsKnown() {
        assertThat(budget.isListening()).isTrue();
        for (int i = 0; i < 3; i++) {
            window(1_000, 500 * MICRO);
            assertThat(budget.isListening()).isTrue();
        }
        window(1_000, 500 * MICRO);
        assertThat(budget.isListening()).isFalse();
        assertThat(budget.delayNanos()).isZero();
    }

    @Test
    void callsWithinTheBudgetMakeNoPause() {
        listen(1_000, 500 * MICRO);
        window(1_000, 580 * MICRO);
        assertThat(budget.delayNanos()).isZero();
    }

    @Test
    void pausesGrowWhileCallsAreSlowerAndShrinkAfterwards() {
        listen(1_000, 500 * MICRO);
        window(1_000, 800 * MICRO);
        assertThat(budget.delayNanos()).isEqualTo(MILLI);
        window(1_000, 800 * MICRO);
        assertThat(budget.delayNanos()).isEqualTo(2 * MILLI);
        window(1_000, 500 * MICRO);
        assertThat(budget.delayNanos()).isEqualTo(1_500 * MICRO);
        for (int i = 0; i < 50; i++) {
            window(1_000, 500 * MICRO);
        }
        assertThat(budget.delayNanos()).isZero();
    }

    @Test
    void aMoveGoesOnHoweverSlowCallsAre() {
        listen(1_000, 500 * MICRO);
        for (int i = 0; i < 30; i++) {
            window(1_000, 50 * MILLI);
        }
        assertThat(budget.delayNanos()).isEqualTo(LatencyBudget.MOST_DELAY_NANOS);
    }

    @Test
    void aFewSlowCallsSayNothing() {
        listen(1_000, 500 * MICRO);
        window(20, 50 * MILLI);
        assertThat(budget.delayNanos()).isZero();
    }

    /** Otherwise the first calls on an idle node would have no time to be compared with. */
    @Test
    void itListensOnceCallsComeToAnIdleNode() {
        listen(0, 0);
        window(0, 0);
        assertThat(budget.isListening()).isFalse();
        window(1_000, 500 * MICRO);
        assertThat(budget.isListening()).isTrue();
        listen(1_000, 500 * MICRO);
        window(1_000, 800 * MICRO);
        assertThat(budget.delayNanos()).isPositive();
    }

    @Test
    void itListensAgainEveryMinute() {
        listen(1_000, 500 * MICRO);
        int windows = 0;
        while (!budget.isListening()) {
            window(1_000, 800 * MICRO);
            windows++;
        }
        assertThat(windows * LatencyBudget.WINDOW_NANOS).isEqualTo(60_000 * MILLI);
        listen(1_000, 800 * MICRO);
        window(1_000, 900 * MICRO);
        assertThat(budget.isListening()).isFalse();
        long before = budget.delayNanos();
        window(1_000, 900 * MICRO);
        assertThat(budget.delayNanos()).as("the load has grown by itself").isLessThan(before);
    }
}
