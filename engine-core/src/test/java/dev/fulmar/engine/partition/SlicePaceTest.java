package dev.fulmar.engine.partition;

import static dev.fulmar.engine.partition.SlicePace.BUSY_NANOS;
import static dev.fulmar.engine.partition.SlicePace.QUIET_RATIO;
import static dev.fulmar.engine.partition.SlicePace.WINDOW_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.spi.SliceHaste;
import org.junit.jupiter.api.Test;

class SlicePaceTest {
    private static final long SLICE = 50_000;
    private static final long BUSY_RATIO = SliceHaste.USUAL.ratio();

    private long now = 1_000_000;
    private final SlicePace pace = new SlicePace(now);

    private void slice() {
        pace.ran(now, now + SLICE, SliceHaste.USUAL);
        now += SLICE;
    }

    private long delay() {
        return pace.delayNanos(now);
    }

    @Test
    void sliceFollowsSliceWhileThereIsNothingElse() {
        slice();
        assertThat(delay()).isNotPositive();
    }

    @Test
    void besideMuchOtherWorkASliceIsFollowedByManyTimesItsLengthWithout() {
        pace.worked(now, BUSY_NANOS);
        slice();
        assertThat(delay()).isEqualTo(BUSY_RATIO * SLICE);
        now += BUSY_RATIO * SLICE;
        assertThat(delay()).isNotPositive();
    }

    @Test
    void besideLittleOtherWorkItWaitsLess() {
        pace.worked(now, BUSY_NANOS - 1);
        slice();
        assertThat(delay()).isEqualTo(QUIET_RATIO * SLICE);
        pace.worked(now, 1);
        assertThat(delay()).isEqualTo(BUSY_RATIO * SLICE);
    }

    @Test
    void otherWorkCountsForAWholeWindowAfterItsEndAndNotForTwo() {
        pace.worked(now, BUSY_NANOS);
        now += WINDOW_NANOS;
        pace.delayNanos(now);
        now += WINDOW_NANOS - SLICE - 1;
        slice();
        assertThat(delay()).isEqualTo(BUSY_RATIO * SLICE);
        now += 1;
        assertThat(delay()).isNotPositive();
    }

    @Test
    void otherWorkIsForgottenIfNobodyAskedForTwoWindows() {
        pace.worked(now, BUSY_NANOS);
        now += 2 * WINDOW_NANOS;
        slice();
        assertThat(delay()).isNotPositive();
    }

    @Test
    void aSliceThatTakesNoTimeByTheClockCountsAllTheSame() {
        pace.worked(now, 0);
        pace.ran(now, now, SliceHaste.USUAL);
        assertThat(delay()).isEqualTo(QUIET_RATIO * SlicePace.SHORTEST_NANOS);
    }

    @Test
    void theTimerLeavesTimeForWorkToComeWhereThereWasMuch() {
        pace.worked(now, 1);
        assertThat(pace.timerNanos(1_000)).isEqualTo(1_000);
        pace.worked(now, BUSY_NANOS);
        assertThat(pace.timerNanos(1_000)).isEqualTo(WINDOW_NANOS / 2);
        assertThat(pace.timerNanos(WINDOW_NANOS)).isEqualTo(WINDOW_NANOS);
    }

    @Test
    void hasteShortensTheWait() {
        pace.worked(now, BUSY_NANOS);
        pace.ran(now, now + SLICE, SliceHaste.BRISK);
        now += SLICE;
        assertThat(delay()).isEqualTo(8 * SLICE);
        pace.ran(now, now + SLICE, SliceHaste.URGENT);
        now += SLICE;
        assertThat(delay()).isEqualTo(SLICE);
    }

    @Test
    void besideLittleOtherWorkOnlyUrgentSlicesWaitLess() {
        pace.worked(now, BUSY_NANOS - 1);
        pace.ran(now, now + SLICE, SliceHaste.BRISK);
        now += SLICE;
        assertThat(delay()).isEqualTo(QUIET_RATIO * SLICE);
        pace.ran(now, now + SLICE, SliceHaste.URGENT);
        now += SLICE;
        assertThat(delay()).isEqualTo(SLICE);
    }
}
