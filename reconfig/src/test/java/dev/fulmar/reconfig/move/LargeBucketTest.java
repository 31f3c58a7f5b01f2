package dev.fulmar.reconfig.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.MovePace;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.engine.table.BucketTransfer;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.reconfig.peer.DestinationStep;
import dev.fulmar.reconfig.peer.RangeReport;
import dev.fulmar.reconfig.peer.RangeState;
import dev.fulmar.reconfig.step.MoveStep;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Buckets that are larger than an operator wants a hand-off to be. */
class LargeBucketTest {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final MovePace WHOLE =
            new MovePace(512 << 10, 0, MovePace.UNLIMITED, MovePace.ANY_SHARE, MovePace.WHOLE);

    private final MoveBench bench = new MoveBench();
    private final List<String> hindrances = new ArrayList<>();
    private final List<RangeReport> reports = new ArrayList<>();
    private int ends;
    private final SourceMoves moves = new SourceMoves(
            bench.ports, new SeededRandom(1), (target, reason) -> hindrances.add(reason), reports::add, () -> ends++);

    @AfterEach
    void close() {
        bench.close();
    }

    /** All keys of the first bucket are to leave, which moves in parts of so many bytes. */
    private PlanTarget target(long mostBytes) {
        List<KeyRange> ranges = KeyRange.common(
                bench.data().buckets().bounds().rangesOf(0), MoveBench.PLAN.rangesOf(MoveBench.SOURCE.number()));
        return MoveBench.target(MoveBench.PLAN.with(ranges, 1), WHOLE.inParts(mostBytes));
    }

    private void begin(PlanTarget target) {
        moves.begin(target, List.of(0));
        bench.pass(SECOND_NANOS);
    }

    private long largest(PlanTarget target) {
        BucketTransfer buckets = bench.data().buckets();
        return BucketChoice.leaving(buckets.bounds(), MoveBench.PLAN.rangesOf(0), target.plan(), 0).stream()
                .mapToLong(buckets::usedBytes)
                .max()
                .orElse(0);
    }

    @Test
    void aLargeBucketIsHalvedUntilItsPartsAreSmallEnough() {
        bench.fill(4_000, 100, null);
        long before = bench.data().buckets().usedBytes(0);
        long mostBytes = before / 3;
        PlanTarget target = target(mostBytes);
        int cuts = 0;
        for (begin(target); bench.asked.isEmpty(); begin(target)) {
            assertThat(++cuts).isLessThan(8);
            assertThat(ends).isEqualTo(cuts);
        }
        assertThat(cuts).isBetween(2, 3);
        assertThat(bench.logged).hasSize(cuts).allMatch(step -> step instanceof MoveStep.Separate);
        assertThat(bench.asked).singleElement().matches(asked -> asked.step() instanceof DestinationStep.Stage);
        assertThat(reports).singleElement().satisfies(report -> {
            assertThat(report.state()).isEqualTo(RangeState.COPYING);
            assertThat(report.ranges()).isNotEmpty();
        });
        assertThat(hindrances).isEmpty();
    }

    @Test
    void aBucketBelowTheLimitMovesAsAWhole() {
        bench.fill(4_000, 100, null);
        PlanTarget target = target(bench.data().buckets().usedBytes(0));
        begin(target);
        assertThat(bench.logged).isEmpty();
        assertThat(bench.asked).hasSize(1);
    }

    /** Few rows of such a bucket cannot move before it, for no key has few. */
    @Test
    void aLargeBucketOfHeavyKeysMovesInPartsToo() {
        bench.fill(24_000, 3_000, 10, null);
        long before = bench.data().buckets().usedBytes(0);
        MovePace pace = new MovePace(1_000, 0, MovePace.UNLIMITED, MovePace.ANY_SHARE, before / 2);
        begin(MoveBench.target(target(before).plan(), pace));
        bench.pass(100 * SECOND_NANOS);
        assertThat(bench.logged).singleElement().matches(step -> step instanceof MoveStep.Separate);
        assertThat(bench.asked).isEmpty();
    }

    /** Nothing divides the rows of a key, for a call on it is executed at one partition. */
    @Test
    void aSingleKeyMovesThoughItIsLargerThanAPart() {
        long key = 0;
        while (MoveBench.PLAN.partitionOf(key) != 0
                || KeyRange.common(
                                bench.data().buckets().bounds().rangesOf(0),
                                List.of(new KeyRange(
                                        MoveBench.PLAN.rangesOf(0).getFirst().space(),
                                        MoveBench.PLAN.positionOf(key),
                                        MoveBench.PLAN.positionOf(key))))
                        .isEmpty()) {
            key++;
        }
        bench.fill(4_000, 100, key);
        PlanTarget target = target(1_000);
        assertThat(largest(target)).isGreaterThan(1_000);
        begin(target);
        assertThat(bench.logged).isEmpty();
        assertThat(bench.asked).singleElement().matches(asked -> asked.step() instanceof DestinationStep.Stage);
    }

    /** The destination may have memory, so that the bucket can move all the same. */
    @Test
    void aBucketForWhoseCutThereIsNoMemoryMovesAsAWhole() {
        bench.fill(20_000, 2_000, null);
        PlanTarget target = target(1 << 20);
        long used = bench.storage.usedBytes();
        begin(target);
        bench.pass(100 * SECOND_NANOS);
        assertThat(bench.logged).isEmpty();
        assertThat(bench.asked).singleElement().matches(asked -> asked.step() instanceof DestinationStep.Stage);
        assertThat(hindrances).isEmpty();
        assertThat(bench.storage.usedBytes()).isEqualTo(used);
    }
}
