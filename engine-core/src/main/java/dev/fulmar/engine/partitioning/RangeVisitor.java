package dev.fulmar.engine.partitioning;

/** Takes ranges of positions with their owners, which are partitions or buckets. */
public interface RangeVisitor {
    /** The owner has the range. */
    void next(int owner, KeyRange range);
}
