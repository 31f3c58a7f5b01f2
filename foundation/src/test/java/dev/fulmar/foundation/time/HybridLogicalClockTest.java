package dev.fulmar.foundation.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HybridLogicalClockTest {
    private long wallMicros = 1_800_000_000_000_000L;

    private final Clock wall = new Clock() {
        @Override
        public long monotonicNanos() {
            return 0;
        }

        @Override
        public long wallMicros() {
            return wallMicros;
        }
    };

    private final HybridLogicalClock clock = new HybridLogicalClock(wall, 500_000, 0);

    @Test
    void timestampsFollowTheWallAndNeverRepeat() {
        long first = clock.next();
        assertThat(HybridLogicalClock.micros(first)).isEqualTo(wallMicros);
        long last = first;
        for (int i = 0; i < 5_000; i++) {
            long next = clock.next();
            assertThat(next).isGreaterThan(last);
            last = next;
        }
        wallMicros -= 1_000_000;
        assertThat(clock.next()).isGreaterThan(last);
        wallMicros += 2_000_000;
        assertThat(HybridLogicalClock.micros(clock.next())).isEqualTo(wallMicros);
    }

    @Test
    void anEffectIsLaterThanItsCause() {
        long remote = HybridLogicalClock.ofMicros(wallMicros + 400_000) + 7;
        clock.observe(remote);
        assertThat(clock.next()).isGreaterThan(remote);
        clock.observe(5);
        assertThat(clock.next()).isGreaterThan(remote);
        assertThat(clock.current()).isGreaterThan(remote);
    }

    @Test
    void aClockTooFarAheadIsRefusedAndNotFollowed() {
        long before = clock.next();
        assertThatThrownBy(() -> clock.observe(HybridLogicalClock.ofMicros(wallMicros + 500_001)))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION))
                .hasMessageContaining("synchronise");
        assertThatThrownBy(() -> clock.observe(-1)).isInstanceOf(FulmarException.class);
        assertThat(clock.next()).isEqualTo(before + 1);
    }

    @Test
    void aRestartBeginsAboveItsFloor() {
        long floor = HybridLogicalClock.ofMicros(wallMicros + 900_000);
        HybridLogicalClock restarted = new HybridLogicalClock(wall, 500_000, floor);
        assertThat(restarted.next()).isEqualTo(floor + 1);
    }

    @Test
    void theYear2200Fits() {
        wallMicros = LocalDateTime.of(2200, 12, 31, 23, 59).toEpochSecond(ZoneOffset.UTC) * 1_000_000;
        assertThat(HybridLogicalClock.micros(clock.next())).isEqualTo(wallMicros);
        assertThat(clock.next()).isPositive();
    }

    @Test
    void threadsNeverShareATimestamp() {
        Set<Long> seen = ConcurrentHashMap.newKeySet();
        IntStream.range(0, 4).parallel().forEach(thread -> {
            long last = 0;
            for (int i = 0; i < 20_000; i++) {
                long next = clock.next();
                assertThat(next > last && seen.add(next)).isTrue();
                last = next;
            }
        });
        assertThat(seen).hasSize(80_000);
    }
}
