package dev.fulmar.engine.door;

import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.table.BucketTransfer;
import dev.fulmar.engine.table.DetachedBucket;
import java.util.List;
import java.util.OptionalInt;

/**
 * Moves whole buckets from one partition to another of the same node.
 *
 * @param from the partition that gives
 * @param to the partition that gets
 */
public record BucketMover(BucketTransfer from, BucketTransfer to) {
    /** Moves the bucket unless something uses it; its number where it is now. */
    public OptionalInt move(int number) {
        if (!from.mayDetach()) {
            return OptionalInt.empty();
        }
        List<KeyRange> ranges = from.bounds().rangesOf(number);
        DetachedBucket moving = from.detach(number);
        return OptionalInt.of(to.attach(moving, ranges));
    }
}
