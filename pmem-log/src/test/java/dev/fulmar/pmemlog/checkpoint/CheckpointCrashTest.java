package dev.fulmar.pmemlog.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.CrashingStorage;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Stops checkpoints everywhere. Whatever happens, one is there that holds exactly the state at its position, and it is
 * never an older one than was told.
 */
class CheckpointCrashTest {
    private static final Set<CrashingStorage.Bug> NONE = EnumSet.noneOf(CrashingStorage.Bug.class);
    private static final int STEPS = 600;

    private final Map<CheckpointRun.Reached, Integer> reached = new EnumMap<>(CheckpointRun.Reached.class);
    private int runs;

    @Test
    void everyPointOfALifeMayBeItsLast() {
        for (long seed = 0; seed < 4; seed++) {
            CheckpointRun whole = new CheckpointRun(seed, NONE, "no crash");
            whole.live(STEPS, Long.MAX_VALUE, true);
            long points = whole.live(STEPS, Long.MAX_VALUE, true);
            whole.check();
            collect(whole);
            for (long point = 1; point <= points; point++) {
                stopAt(seed, point, point % 3 != 0);
            }
        }
        assertThat(runs).isGreaterThan(1_000);
    }

    /** A whole life, one that ends at the point, and another that shows that one can go on from there. */
    private void stopAt(long seed, long point, boolean powerFailure) {
        String end = (powerFailure ? "power failure" : "kill") + " at point " + point;
        CheckpointRun run = new CheckpointRun(seed, NONE, end);
        run.live(STEPS, Long.MAX_VALUE, true);
        run.live(STEPS, point, powerFailure);
        run.live(STEPS / 4, Long.MAX_VALUE, true);
        run.check();
        collect(run);
    }

    @Test
    void manyLivesEndAnywhere() {
        for (long seed = 1_000; seed < 1_600; seed++) {
            CheckpointRun run = new CheckpointRun(seed, NONE, "random crashes");
            endAnywhere(run, seed);
            collect(run);
        }
        assertThat(reached.keySet()).contains(CheckpointRun.Reached.values());
    }

    private static void endAnywhere(CheckpointRun run, long seed) {
        SeededRandom random = new SeededRandom(seed).split("ends");
        for (int life = 0; life < 6; life++) {
            int most = random.nextInt(3) == 0 ? 25 : 400;
            run.live(100 + random.nextInt(900), 1 + random.nextInt(most), random.nextInt(3) > 0);
        }
        run.live(200, Long.MAX_VALUE, true);
        run.check();
    }

    private void collect(CheckpointRun run) {
        runs++;
        run.reached().forEach((point, times) -> reached.merge(point, times, Integer::sum));
    }

    /** The test itself is tested. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WHAT_WAS_READ_IS_NOT_CERTIFIED")
    void aBugIsFound(CrashingStorage.Bug bug) {
        assertThatThrownBy(() -> {
                    for (long seed = 0; seed < 300; seed++) {
                        endAnywhere(new CheckpointRun(seed, EnumSet.of(bug), "planted " + bug), seed);
                    }
                })
                .isInstanceOf(AssertionError.class);
    }
}
