package dev.fulmar.reconfig.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.partitioning.BucketBounds;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.HandOffFormat;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.MovePace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.engine.partitioning.TargetChange;
import dev.fulmar.engine.partitioning.TargetChangeFormat;
import dev.fulmar.engine.table.BucketCut;
import dev.fulmar.foundation.network.Network;
import dev.fulmar.reconfig.plan.PlanDifference;
import dev.fulmar.reconfig.plan.PlanDocument;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The longest plan there may be, whose keys all lie beside keys of the other partition. Its choices, cuts and hand-offs
 * are made one after the other, without rows. Where one of them looked at each range for each range, it would take
 * minutes.
 */
class LargePlanTest {
    private static final int RANGES = PlanDocument.MAX_RANGES - 10;
    private static final int MOST_HAND_OFF_BYTES = 20 << 10;
    private static final int NEW_BUCKET = 7;

    /** All are in the first buckets, so those that were cut go first. */
    private static final Map<Integer, Long> ROWS = Map.of(0, 10L, 1, 10L);

    private static final PartitionPlan PLAN = PartitionPlan.ranges(Long.MIN_VALUE, RANGES / 2);

    /** Even keys are at partition 0, and odd ones at 1. */
    private static String document() {
        StringJoiner even = new StringJoiner("\", \"", "[\"[-1)\", \"", "\"]");
        StringJoiner odd = new StringJoiner("\", \"", "[\"[" + RANGES + "-)\", \"", "\"]");
        for (int key = 1; key < RANGES; key++) {
            (key % 2 == 0 ? even : odd).add(Integer.toString(key));
        }
        return "{\"plan\": {\"*\": {\"0\": " + even + ", \"1\": " + odd + "}}}";
    }

    private static Catalog begun(String document) {
        PlanTarget target = new PlanTarget(
                1, PlanTarget.State.RUNNING, PlanDocument.read(document).on(PLAN), MovePace.DEFAULT, "");
        TargetChange begin = new TargetChange.Begin(target, OptionalLong.of(PLAN.fingerprint()));
        assertThat(TargetChangeFormat.write(begin))
                .as("a tenth of what a message between nodes, or the catalog of a cluster, may have")
                .hasSizeLessThan(Network.MAX_MESSAGE_BYTES / 10);
        return Catalog.empty().withTarget(begin, Optional.of(PLAN));
    }

    private static PartitionPlan planOf(Catalog catalog) {
        return Objects.requireNonNull(catalog.plan());
    }

    /** The partition's next bucket that leaves, after it was cut where that is needed; null if none leaves. */
    private static BucketChoice.Move next(Catalog catalog, BucketBounds[] bounds, int partition) {
        PlanTarget target = Objects.requireNonNull(catalog.target());
        List<KeyRange> owned = planOf(catalog).rangesOf(partition);
        while (true) {
            BucketChoice choice = BucketChoice.of(
                            new BucketCounts(bounds[partition], owned, ROWS), target.plan(), partition, Set.of())
                    .orElse(null);
            switch (choice) {
                case BucketChoice.Separate separate -> {
                    assertThat(separate.ranges()).hasSizeLessThanOrEqualTo(BucketCut.MOST_RANGES);
                    bounds[partition] = bounds[partition].assign(separate.ranges(), NEW_BUCKET);
                }
                case BucketChoice.Move move -> {
                    return move;
                }
                case null -> throw new AssertionError("keys are left, but no bucket leaves");
            }
        }
    }

    @Test
    @Timeout(60)
    void theLongestPlanIsReached() {
        String document = document();
        assertThat(document.length()).as("a frame of a client").isLessThan(Network.MAX_MESSAGE_BYTES / 10);
        Catalog catalog = begun(document);
        BucketBounds[] bounds = {
            PLAN.bucketsOf(0, 2).bounds(), PLAN.bucketsOf(1, 2).bounds()
        };
        int handOffs = 0;
        for (PlanTarget target = catalog.target();
                target != null && target.state() == PlanTarget.State.RUNNING;
                target = catalog.target()) {
            int from = PlanDifference.between(planOf(catalog), target.plan())
                    .getFirst()
                    .source();
            BucketChoice.Move move = next(catalog, bounds, from);
            HandOff handOff = new HandOff(handOffs, from, move.to(), move.bucket(), 1, 0, move.ranges());
            assertThat(HandOffFormat.write(List.of(handOff))).hasSizeLessThan(MOST_HAND_OFF_BYTES);
            catalog = catalog.withHandOffs(List.of(handOff));
            bounds[from] = bounds[from].without(move.bucket());
            bounds[move.to()] = bounds[move.to()].assign(move.ranges(), 100 + handOffs);
            handOffs++;
        }
        assertThat(handOffs).isBetween(RANGES / 2 / BucketCut.MOST_RANGES, RANGES / BucketCut.MOST_RANGES);
        for (int key = 0; key < RANGES; key++) {
            assertThat(planOf(catalog).partitionOf(key)).isEqualTo(key % 2);
        }
    }
}
