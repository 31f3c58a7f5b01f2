package dev.fulmar.pmemlog.log;

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
 * Stops the log everywhere. Whatever happens, what was acknowledged is recovered, and what is recovered of a stream is
 * a prefix of what was appended to it.
 */
class LogCrashTest {
    private static final Set<CrashingStorage.Bug> NONE = EnumSet.noneOf(CrashingStorage.Bug.class);
    private static final int STEPS = 120;

    private final Map<LogRun.Reached, Integer> reached = new EnumMap<>(LogRun.Reached.class);
    private int runs;

    @Test
    void everyPointOfALifeMayBeItsLast() {
        for (long seed = 0; seed < 8; seed++) {
            LogRun whole = new LogRun(seed, NONE, "no crash");
            long points = whole.live(STEPS, Long.MAX_VALUE, true);
            collect(whole);
            for (long point = 1; point <= points; point++) {
                stopAt(seed, point, true);
                if (point % 3 == 0) {
                    stopAt(seed, point, false);
                }
            }
        }
        assertThat(runs).isGreaterThan(1_500);
    }

    /** A life that ends at the point, and another that shows that one can go on from there. */
    private void stopAt(long seed, long point, boolean powerFailure) {
        String end = (powerFailure ? "power failure" : "kill") + " at point " + point;
        LogRun run = new LogRun(seed, NONE, end);
        run.live(STEPS, point, powerFailure);
        run.live(STEPS / 4, Long.MAX_VALUE, true);
        run.check();
        collect(run);
    }

    @Test
    void manyLivesEndAnywhere() {
        for (long seed = 1_000; seed < 1_800; seed++) {
            LogRun run = new LogRun(seed, NONE, "random crashes");
            endAnywhere(run, seed);
            collect(run);
        }
        assertThat(reached.keySet()).containsExactlyInAnyOrder(LogRun.Reached.values());
    }

    private static void endAnywhere(LogRun run, long seed) {
        SeededRandom random = new SeededRandom(seed).split("ends");
        for (int life = 0; life < 4; life++) {
            // Short lives too, so that opening is interrupted, again and again.
            int most = random.nextInt(2) == 0 ? 25 : 600;
            run.live(10 + random.nextInt(400), 1 + random.nextInt(most), random.nextInt(3) > 0);
        }
        run.live(40, Long.MAX_VALUE, true);
        run.check();
    }

    private void collect(LogRun run) {
        runs++;
        run.reached().forEach((point, times) -> reached.merge(point, times, Integer::sum));
    }

    /** The test itself is tested: what it would miss, it would miss in the log. */
    @ParameterizedTest
    @EnumSource
    void aBugIsFound(CrashingStorage.Bug bug) {
        assertThatThrownBy(() -> {
                    for (long seed = 0; seed < 300; seed++) {
                        endAnywhere(new LogRun(seed, EnumSet.of(bug), "planted " + bug), seed);
                    }
                })
                .isInstanceOf(AssertionError.class);
    }
}
