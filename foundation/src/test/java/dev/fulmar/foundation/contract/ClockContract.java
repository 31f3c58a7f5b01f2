package dev.fulmar.foundation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.time.Clock;
import org.junit.jupiter.api.Test;

public abstract class ClockContract {
    private static final long YEAR_2025_MICROS = 1_735_689_600_000_000L;
    private static final long YEAR_2200_MICROS = 7_258_118_400_000_000L;

    protected abstract Clock clock();

    protected abstract Surroundings surroundings();

    @Test
    void monotonicTimeNeverGoesBack() {
        Clock clock = clock();
        long last = clock.monotonicNanos();
        for (int i = 0; i < 1_000; i++) {
            long now = clock.monotonicNanos();
            assertThat(now - last).isGreaterThanOrEqualTo(0);
            last = now;
        }
    }

    @Test
    void bothTimesPass() {
        Clock clock = clock();
        long monotonic = clock.monotonicNanos();
        long wall = clock.wallMicros();
        surroundings().pass(10_000_000);
        assertThat(clock.monotonicNanos() - monotonic).isGreaterThanOrEqualTo(10_000_000);
        assertThat(clock.wallMicros() - wall).isGreaterThanOrEqualTo(9_000);
    }

    @Test
    void wallTimeIsInMicrosecondsSince1970() {
        assertThat(clock().wallMicros()).isBetween(YEAR_2025_MICROS, YEAR_2200_MICROS);
    }
}
