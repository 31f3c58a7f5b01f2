package dev.fulmar.reconfig.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.partition.counter.LatencyHistogram;
import dev.fulmar.engine.partitioning.MovePace;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.reconfig.peer.DestinationStep;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Chunks that take long, as those of code that is not compiled yet, leave most of a site's time to calls. */
class SiteShareTest {
    private static final long MILLI = 1_000_000;
    private static final int CHUNK_BYTES = 1_000;
    private static final MovePace FIXED = new MovePace(CHUNK_BYTES, MILLI, MovePace.UNLIMITED);
    private static final MovePace SHARED = new MovePace(CHUNK_BYTES, MILLI, MovePace.UNLIMITED, 20, MovePace.WHOLE);

    private final MoveBench bench = new MoveBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private static final class Silent implements MoveListener {
        @Override
        public void sent(int bytes, long stagedRows) {}

        @Override
        public void announced() {}

        @Override
        public void refused(int times) {}

        @Override
        public void handedOver(long rows, long pauseNanos) {}

        @Override
        public void undone(FulmarException cause) {
            throw new AssertionError(cause);
        }
    }

    /** Until the first chunk was taken. */
    private void begin(MovePace pace) {
        bench.fill(5_000, 100, null);
        int bucket = bench.data().buckets().rowCount(0) > 0 ? 0 : 1;
        new BucketMove(
                        bench.ports,
                        MoveBench.target(MoveBench.PLAN, pace),
                        7,
                        MoveBench.SOURCE,
                        new BucketChoice.Move(
                                bucket, 1, bench.data().buckets().bounds().rangesOf(bucket)),
                        new SentOutcomes(),
                        new Silent())
                .begin();
        bench.asked.remove().answer().done(0);
        assertThat(bench.asked).singleElement().matches(asked -> asked.step() instanceof DestinationStep.Take);
    }

    /**
     * The chunk took as long as one look at the clock, five milliseconds more than usual. Another look passes until the
     * destination is asked.
     */
    @Test
    void theNextChunkBeginsAfterFourTimesTheTimeThatTheLastTookTooLong() {
        bench.lookNanos = 10 * MILLI;
        begin(SHARED);
        bench.lookNanos = 0;
        bench.asked.remove().answer().done(3);
        bench.pass(10 * MILLI - 1);
        assertThat(bench.asked).as("a fifth of the time is used up").isEmpty();
        bench.pass(1);
        assertThat(bench.asked).hasSize(1);
    }

    /** The way to the destination and back, and to its disk, is a part of the rest. */
    @Test
    void theRestBeginsAtTheEndOfTheChunk() {
        bench.lookNanos = 10 * MILLI;
        begin(SHARED);
        bench.lookNanos = 0;
        bench.stall(100 * MILLI);
        bench.asked.remove().answer().done(3);
        bench.pass(MILLI);
        assertThat(bench.asked).hasSize(1);
    }

    @Test
    void aPauseThatAnOperatorHasFixedStaysTheSame() {
        bench.lookNanos = 10 * MILLI;
        begin(FIXED);
        bench.lookNanos = 0;
        bench.asked.remove().answer().done(3);
        bench.pass(MILLI - 1);
        assertThat(bench.asked).isEmpty();
        bench.pass(1);
        assertThat(bench.asked).hasSize(1);
    }

    /** Chunks of compiled code do not rest: rows that change meanwhile would be sent again. */
    @Test
    void aUsualChunkIsFollowedByTheUsualPause() {
        bench.lookNanos = 5 * MILLI;
        begin(SHARED);
        bench.lookNanos = 0;
        bench.asked.remove().answer().done(3);
        bench.pass(MILLI - 1);
        assertThat(bench.asked).isEmpty();
        bench.pass(1);
        assertThat(bench.asked).hasSize(1);
    }

    @Test
    void aRestHasBounds() {
        assertThat(SiteShare.restNanos(6 * MILLI, 20)).isEqualTo(4 * MILLI);
        assertThat(SiteShare.restNanos(6 * MILLI, 50)).isEqualTo(MILLI);
        assertThat(SiteShare.restNanos(5 * MILLI, 20)).isZero();
        assertThat(SiteShare.restNanos(6 * MILLI, MovePace.ANY_SHARE)).isZero();
        assertThat(SiteShare.restNanos(Long.MAX_VALUE, 20)).isLessThanOrEqualTo(SiteShare.MOST_REST_NANOS);
        assertThat(SiteShare.restNanos(Long.MAX_VALUE, 1)).isLessThanOrEqualTo(SiteShare.MOST_REST_NANOS);
        assertThat(SiteShare.restNanos(-1, 20)).isZero();
    }

    /** It would never come to an end if rows changed faster. */
    @Test
    void copyingThatFollowsChangesMayTakeHalf() {
        SiteShare share = new SiteShare(SHARED);
        assertThat(share.leftNanos(0)).isZero();
        share.took(15 * MILLI, 0, true);
        assertThat(share.leftNanos(4 * MILLI)).isEqualTo(6 * MILLI);
        share.took(15 * MILLI, 0, false);
        assertThat(share.leftNanos(4 * MILLI)).isEqualTo(36 * MILLI);
        assertThat(share.leftNanos(41 * MILLI)).isZero();
    }

    /** Its code may be as cold as that of the source. Sources are told its pause as that of its budget. */
    @Test
    void aDestinationWantsAPauseWhileItStagesSlowly() {
        Pace pace = new Pace(LatencyHistogram::new, bench.clock());
        PlanTarget shared = MoveBench.target(MoveBench.PLAN, SHARED);
        pace.staged(15 * MILLI);
        pace.staged(2 * MILLI);
        pace.follow(shared);
        long first = pace.delayNanos();
        assertThat(first).isBetween(40 * MILLI, 80 * MILLI);
        assertThat(pace.mayMove()).isTrue();
        for (long wanted : List.of(first / 2, first / 4, first / 8)) {
            pace.follow(shared);
            assertThat(pace.delayNanos()).isEqualTo(wanted);
        }
        pace.follow(shared);
        pace.follow(shared);
        assertThat(pace.delayNanos()).isZero();
        pace.staged(SiteShare.USUAL_NANOS);
        pace.follow(shared);
        assertThat(pace.delayNanos()).as("usual chunks need none").isZero();
        pace.staged(10 * MILLI);
        pace.follow(MoveBench.target(MoveBench.PLAN, FIXED));
        assertThat(pace.delayNanos()).isZero();
    }
}
