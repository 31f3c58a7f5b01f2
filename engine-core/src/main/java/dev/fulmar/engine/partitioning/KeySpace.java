package dev.fulmar.engine.partitioning;

/** The space in which a plan has the ranges of a partitioning key. */
public enum KeySpace {
    /** Integers, dates, times and short decimals, as the longs that they are, where the plan has ranges of those. */
    INTEGER,
    /** Hashes of all other keys, with {@link PartitionPlan#UNSIGNED_ORDER}. */
    HASH
}
