package dev.fulmar.benchmarks.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SiteBudgetTest {
    private static final long MILLI = 1_000_000;
    private static final double FACTOR = 20;

    private final SiteBudget budget = new SiteBudget(0);
    private long nowNanos;
    private long threadNanos;

    /** Works for so long on an otherwise idle machine; returns the wait. */
    private long work(long nanos) {
        budget.begin(nowNanos, threadNanos);
        nowNanos += nanos;
        threadNanos += nanos;
        return budget.charge(nowNanos, threadNanos, FACTOR);
    }

    @Test
    void aBusySiteGetsItsShareOfTheProcessor() {
        for (int i = 0; i < 10_000; i++) {
            nowNanos += work(70_000);
        }

        double share = (double) budget.workedNanos() / nowNanos;
        assertThat(share).isCloseTo(1 / FACTOR, within(0.001));
    }

    @Test
    void waitsThatEndLateAreMadeGood() {
        for (int i = 0; i < 10_000; i++) {
            long wait = work(70_000);
            nowNanos += wait == 0 ? 0 : wait + MILLI;
        }

        double share = (double) budget.workedNanos() / nowNanos;
        assertThat(share).isCloseTo(1 / FACTOR, within(0.001));
    }

    @Test
    void smallDebtsAreCollected() {
        nowNanos = SiteBudget.DEPTH_NANOS;
        long waited = 0;
        for (int i = 0; i < 1_000; i++) {
            long wait = work(2_000);
            assertThat(wait == 0 || wait >= SiteBudget.LEAST_WAIT_NANOS).isTrue();
            waited += wait;
            nowNanos += wait;
        }

        assertThat(waited).isGreaterThan(20 * MILLI);
    }

    @Test
    void idleTimeIsKeptOnlyForAShortWhile() {
        nowNanos = 1_000 * MILLI;

        assertThat(work(MILLI)).isEqualTo(20 * MILLI - MILLI - SiteBudget.DEPTH_NANOS);
    }

    @Test
    void timeThatTheThreadDidNotHaveIsNotCharged() {
        budget.begin(0, 0);

        assertThat(budget.charge(100 * MILLI, MILLI / 10, FACTOR)).isZero();
        assertThat(budget.workedNanos()).isEqualTo(MILLI / 10);
    }

    @Test
    void aTurnWithoutAMessageIsMeasuredByTheClock() {
        budget.rest();
        budget.look(7 * MILLI);

        assertThat(budget.charge(8 * MILLI, 123 * MILLI, FACTOR)).isPositive();
        assertThat(budget.workedNanos()).isEqualTo(MILLI);
        assertThat(budget.isAtWork()).isTrue();
    }

    @Test
    void lookingForWorkIsNotCharged() {
        budget.begin(0, 0);
        budget.charge(MILLI, MILLI, FACTOR);
        budget.rest();
        budget.look(2 * MILLI);
        budget.look(50 * MILLI);
        budget.begin(50 * MILLI, 9 * MILLI);
        budget.look(51 * MILLI);
        budget.charge(52 * MILLI, 10 * MILLI, FACTOR);

        assertThat(budget.workedNanos()).isEqualTo(2 * MILLI);
    }

    @Test
    void withoutAFactorNothingWaits() {
        budget.begin(0, 0);

        assertThat(budget.charge(100 * MILLI, 100 * MILLI, 0)).isZero();
    }

    @Test
    void isDueOnlyWhenADebtIsWorthAWait() {
        budget.begin(0, 0);

        assertThat(budget.isDue(49_000, FACTOR)).isFalse();
        assertThat(budget.isDue(51_000, FACTOR)).isTrue();
        assertThat(budget.isDue(10 * MILLI, 0)).isFalse();
    }
}
