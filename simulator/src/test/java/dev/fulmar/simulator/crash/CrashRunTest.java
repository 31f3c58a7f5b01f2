package dev.fulmar.simulator.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.DurabilityMode;
import dev.fulmar.foundation.simulated.CrashingStorage;
import dev.fulmar.sql.SqlCompiler;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The sweep finds what it is for, and nothing else. */
class CrashRunTest {
    private static final Set<CrashingStorage.Bug> NONE = EnumSet.noneOf(CrashingStorage.Bug.class);
    private static final int WISHES = 20;
    private static final int RUNS = 60;

    private final SqlCompiler sql = new SqlCompiler();

    private CrashReport run(long seed, DurabilityMode mode, Set<CrashingStorage.Bug> bugs, long crashAfter) {
        return new CrashRun(seed, mode, bugs, sql).run(WISHES, crashAfter, true);
    }

    @Test
    void nothingIsLostWhereverItStops() {
        long checkpoints = 0;
        boolean fromCheckpoints = false;
        for (long seed = 1; seed <= 2; seed++) {
            long points = run(seed, DurabilityMode.SYNC, NONE, Long.MAX_VALUE).points();
            assertThat(points).isGreaterThan(100);
            for (long point = 1; point <= points; point += points / 8) {
                CrashReport report = run(seed, DurabilityMode.SYNC, NONE, point);
                assertThat(report.violations())
                        .as("seed %d, point %d", seed, point)
                        .isEmpty();
                checkpoints += report.checkpoints();
                fromCheckpoints |= report.fromCheckpoints();
            }
        }
        assertThat(checkpoints).isPositive();
        assertThat(fromCheckpoints).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"SYNCHRONOUS_WRITES_ARE_NOT", "FORCES_ARE_SKIPPED"})
    void aSkippedFenceIsFound(CrashingStorage.Bug bug) {
        assertThat(isFound(DurabilityMode.SYNC, EnumSet.of(bug))).isTrue();
    }

    /** What acknowledges before it is durable loses what it acknowledged. */
    @Test
    void anEarlyAnswerIsFound() {
        assertThat(isFound(DurabilityMode.ASYNC, NONE)).isTrue();
    }

    private boolean isFound(DurabilityMode mode, Set<CrashingStorage.Bug> bugs) {
        for (int run = 0; run < RUNS; run++) {
            if (!run(run / 8, mode, bugs, 40 + 23L * run).violations().isEmpty()) {
                return true;
            }
        }
        return false;
    }
}
