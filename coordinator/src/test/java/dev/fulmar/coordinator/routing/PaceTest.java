package dev.fulmar.coordinator.routing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long QUICK_NANOS = 20_000;
    private static final long LONG_NANOS = 3_000_000;
    private static final long HOPELESS_NANOS = 5_000_000_000L;

    private final Pace pace = new Pace();

    @Test
    void trustIsEarnedByQuickCalls() {
        took(QUICK_NANOS, Pace.TRUSTED - 1);
        assertThat(pace.isQuick()).isFalse();
        took(QUICK_NANOS, 1);
        assertThat(pace.isQuick()).isTrue();
    }

    @Test
    void oneLongCallDoesNotEndATrustOfLongStanding() {
        took(QUICK_NANOS, 2_000);
        took(LONG_NANOS, 1);
        assertThat(pace.isQuick()).isTrue();
        took(LONG_NANOS, 3);
        assertThat(pace.isQuick()).isFalse();
    }

    @Test
    void aVeryLongCallEndsTheTrustForLong() {
        took(QUICK_NANOS, 2_000);
        took(HOPELESS_NANOS, 1);
        assertThat(pace.isSlow()).isTrue();
        took(QUICK_NANOS, 5_000);
        assertThat(pace.isQuick()).isFalse();
        took(LONG_NANOS, 100);
        took(QUICK_NANOS, 5_000);
        assertThat(pace.isQuick()).as("long calls do not shorten the distrust").isFalse();
        took(QUICK_NANOS, 5_000);
        assertThat(pace.isQuick()).isTrue();
        assertThat(pace.isSlow()).isFalse();
    }

    private void took(long nanos, int calls) {
        for (int i = 0; i < calls; i++) {
            pace.took(nanos);
        }
    }
}
