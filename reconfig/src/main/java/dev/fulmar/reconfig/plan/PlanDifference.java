package dev.fulmar.reconfig.plan;

import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeyRanges;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;

/** Compares two plans: which ranges change their partition from the first to the second (Squall §3.1). */
public final class PlanDifference {
    private PlanDifference() {}

    /**
     * The moves from one plan to another, in the order of positions, ranges of integers before those of hashes.
     * Neighbours with the same source and destination are one range.
     *
     * @throws FulmarException {@link ErrorCode#INVALID_CONFIGURATION} for plans of different numbers of partitions, and
     *     for two of which only one hashes integers
     */
    public static List<RangeMove> between(PartitionPlan earlier, PartitionPlan later) {
        if (earlier.partitionCount() != later.partitionCount()) {
            throw EntryText.refused("the plans have " + earlier.partitionCount() + " and " + later.partitionCount()
                    + " partitions; the number of partitions never changes");
        }
        if (earlier.spaceOfIntegers() != later.spaceOfIntegers()) {
            throw EntryText.refused(
                    "one plan hashes integers and the other divides them; no reconfiguration changes that");
        }
        List<RangeMove> moves = new ArrayList<>();
        if (earlier.spaceOfIntegers() == KeySpace.INTEGER) {
            compare(KeySpace.INTEGER, earlier.integers(), later.integers(), moves);
        }
        compare(KeySpace.HASH, earlier.hashes(), later.hashes(), moves);
        return List.copyOf(moves);
    }

    private static void compare(KeySpace space, KeyRanges earlier, KeyRanges later, List<RangeMove> moves) {
        int one = 0;
        int other = 0;
        long first = Long.MIN_VALUE;
        while (true) {
            long last = Math.min(lastOf(earlier, one), lastOf(later, other));
            int source = earlier.owners().get(one);
            int destination = later.owners().get(other);
            if (source != destination) {
                add(moves, space, first, last, source, destination);
            }
            if (last == Long.MAX_VALUE) {
                return;
            }
            first = last + 1;
            one += lastOf(earlier, one) == last ? 1 : 0;
            other += lastOf(later, other) == last ? 1 : 0;
        }
    }

    private static long lastOf(KeyRanges ranges, int range) {
        return range + 1 == ranges.starts().size()
                ? Long.MAX_VALUE
                : ranges.starts().get(range + 1) - 1;
    }

    private static void add(List<RangeMove> moves, KeySpace space, long first, long last, int source, int destination) {
        if (!moves.isEmpty()) {
            RangeMove before = moves.getLast();
            KeyRange range = before.range();
            if (range.space() == space
                    && range.last() + 1 == first
                    && before.source() == source
                    && before.destination() == destination) {
                moves.set(
                        moves.size() - 1, new RangeMove(new KeyRange(space, range.first(), last), source, destination));
                return;
            }
        }
        moves.add(new RangeMove(new KeyRange(space, first, last), source, destination));
    }
}
