package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/**
 * Decides at which place of a sequence a partition draws, so that partitions draw different numbers without asking each
 * other. A place is a text that a plan gives to a partition by its hash. A partition draws at the first that it has and
 * that has numbers left. So a plan for a database with sequences leaves each partition a place, also one that has no
 * other keys.
 */
public final class SequencePlaces {
    private SequencePlaces() {}

    /** The text of the place. */
    static byte[] text(int place) {
        return Integer.toString(place).getBytes(StandardCharsets.US_ASCII);
    }

    /** The partition that has the place. */
    static int owner(PartitionPlan plan, int place) {
        byte[] text = text(place);
        return plan.partitionOf(text, 0, text.length);
    }

    /** The place at which the partition draws; empty if it has none. */
    static OptionalInt first(PartitionPlan plan, int partition) {
        return next(plan, partition, 0);
    }

    /** The first place of the partition from that one on; empty if there is none. */
    static OptionalInt next(PartitionPlan plan, int partition, int from) {
        for (int place = from; place < SequenceRule.PLACES; place++) {
            if (owner(plan, place) == partition) {
                return OptionalInt.of(place);
            }
        }
        return OptionalInt.empty();
    }

    /**
     * The plan, but each partition without a place gets one at which its owner does not draw: the single hash of its
     * text. For plans under which nothing was drawn yet.
     *
     * @throws FulmarException {@link ErrorCode#INVALID_CONFIGURATION} for more partitions than there are places
     */
    public static PartitionPlan forAll(PartitionPlan plan) {
        PartitionPlan made = plan;
        int spare = 0;
        for (int partition = 0; partition < plan.partitionCount(); partition++) {
            if (first(plan, partition).isPresent()) {
                continue;
            }
            while (spare < SequenceRule.PLACES && isDrawnAt(plan, spare)) {
                spare++;
            }
            if (spare >= SequenceRule.PLACES) {
                throw new FulmarException(
                        ErrorCode.INVALID_CONFIGURATION,
                        plan.partitionCount() + " partitions cannot all draw numbers of sequences, which "
                                + SequenceRule.PLACES + " can at most; use fewer partitions");
            }
            byte[] text = text(spare);
            made = made.withHash(made.positionOf(text, 0, text.length), partition);
            spare++;
        }
        return made;
    }

    /**
     * The later plan, but each partition that would lose its last place keeps the one at which it draws. That is the
     * single hash of its text.
     */
    public static PartitionPlan keep(PartitionPlan earlier, PartitionPlan later) {
        PartitionPlan made = later;
        for (int partition = 0; partition < later.partitionCount(); partition++) {
            OptionalInt drawn = first(earlier, partition);
            if (drawn.isPresent() && first(made, partition).isEmpty()) {
                byte[] text = text(drawn.getAsInt());
                made = made.withHash(made.positionOf(text, 0, text.length), partition);
            }
        }
        return made;
    }

    private static boolean isDrawnAt(PartitionPlan plan, int place) {
        return first(plan, owner(plan, place)).orElseThrow() == place;
    }
}
