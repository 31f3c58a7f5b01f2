package dev.fulmar.engine.partitioning;

/** Says whether the position of a partitioning key in the partition plan is the integer itself or its hash. */
public enum KeySpace {
    /** Integers, dates, times and short decimals, as the longs that they are, where the plan has ranges of those. */
    INTEGER,
    /** Hashes of all other keys, with {@link PartitionPlan#UNSIGNED_ORDER}. */
    HASH
}
