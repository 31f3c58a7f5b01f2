package dev.fulmar.reconfig.peer;

/**
 * Counts of the ranges of keys that a node moves away from its partitions.
 *
 * @param moving ranges of the bucket that moves
 * @param moved ranges of the buckets that were handed over
 */
public record RangeCounts(long moving, long moved) {
    /** Of a node that has moved nothing yet. */
    public static final RangeCounts NONE = new RangeCounts(0, 0);

    /** A bucket with so many ranges moves, 0 for none. */
    public RangeCounts moving(int ranges) {
        return new RangeCounts(ranges, moved);
    }

    /** The bucket that moves is handed over. */
    public RangeCounts handedOver() {
        return new RangeCounts(0, moved + moving);
    }

    /** These and those of another node. */
    public RangeCounts and(RangeCounts other) {
        return new RangeCounts(moving + other.moving, moved + other.moved);
    }
}
