package dev.fulmar.simulator.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.foundation.simulated.CrashingStorage;
import dev.fulmar.simulator.crash.CrashTally.Reached;
import dev.fulmar.sql.SqlCompiler;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The sweep finds what it is for, and nothing else. */
class ForkingRunTest {
    private static final Set<CrashingStorage.Bug> NONE = EnumSet.noneOf(CrashingStorage.Bug.class);
    private static final int ASKS = 15;
    private static final long LISTS = 1;
    private static final long TPCC = 2;

    private final PlanCache sql = new PlanCache(new SqlCompiler());

    private CrashTally run(long seed, DurabilityMode mode, Set<CrashingStorage.Bug> bugs, int stride, long most) {
        return run(seed, mode, bugs, stride, most, false);
    }

    private CrashTally run(
            long seed, DurabilityMode mode, Set<CrashingStorage.Bug> bugs, int stride, long most, boolean movesKeys) {
        CrashTally tally = new CrashTally();
        ForkingRun.Plan plan = new ForkingRun.Plan(mode, ASKS, 1, stride, bugs, movesKeys);
        new ForkingRun(seed, plan, sql, tally, () -> tally.violated() > 0 || tally.count(Reached.CRASH) >= most).run();
        return tally;
    }

    @Test
    void nothingIsLostWhereverItStops() {
        for (long seed : new long[] {LISTS, TPCC}) {
            CrashTally tally = run(seed, DurabilityMode.SYNC, NONE, 23, 40);

            assertThat(tally.violations()).as("seed %d", seed).isEmpty();
            assertThat(tally.counts())
                    .as("seed %d", seed)
                    .containsKeys(
                            Reached.POWER_FAILURE,
                            Reached.TORN_WRITE,
                            Reached.CRASH_IN_RECOVERY,
                            Reached.WENT_ON,
                            Reached.BEGUN_FROM_CHECKPOINTS,
                            Reached.ACKNOWLEDGED);
        }
    }

    @Test
    void nothingIsLostWhereverItStopsWhileKeysMove() {
        CrashTally tally = run(3, DurabilityMode.SYNC, NONE, 11, 40, true);

        assertThat(tally.violations()).isEmpty();
        assertThat(tally.counts())
                .containsKeys(
                        Reached.POWER_FAILURE,
                        Reached.HANDED_OVER,
                        Reached.MOVE_RECOVERED,
                        Reached.STAGED_ROWS_RECOVERED,
                        Reached.ACKNOWLEDGED);
    }

    @Test
    void aSeedRepeats() {
        assertThat(run(LISTS, DurabilityMode.SYNC, NONE, 61, 12).counts())
                .isEqualTo(run(LISTS, DurabilityMode.SYNC, NONE, 61, 12).counts());
    }

    @ParameterizedTest
    @EnumSource(names = {"SYNCHRONOUS_WRITES_ARE_NOT", "FORCES_ARE_SKIPPED"})
    void aSkippedFenceIsFound(CrashingStorage.Bug bug) {
        assertThat(run(LISTS, DurabilityMode.SYNC, EnumSet.of(bug), 5, 200).violated())
                .isPositive();
    }

    /** What acknowledges before it is durable loses what it acknowledged. */
    @Test
    void anEarlyAnswerIsFound() {
        assertThat(run(LISTS, DurabilityMode.ASYNC, NONE, 5, 200).violated()).isPositive();
    }
}
