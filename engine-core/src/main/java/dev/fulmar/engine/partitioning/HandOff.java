package dev.fulmar.engine.partitioning;

import java.util.List;

/**
 * A bucket that changes its partition together with the plan (Squall §4.4, without its pulls). Immutable.
 *
 * @param move by which the reconfiguration knows it
 * @param from the partition that it leaves
 * @param to the partition that has staged its rows
 * @param bucket its number in the partition that it leaves
 * @param chunks that have its rows
 * @param commits of calls on keys of the partition that it leaves, as many as when the other one got the last outcomes;
 *     {@link #NOTED} where that partition has noted the number
 * @param ranges all keys that the partition has in it
 */
public record HandOff(long move, int from, int to, int bucket, long chunks, long commits, List<KeyRange> ranges) {
    /** Number of commits of a hand-off that is announced before the last ones are known. */
    public static final long NOTED = -1;

    public HandOff {
        ranges = List.copyOf(ranges);
    }
}
