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
    /**
     * Moves the bucket unless something uses the tables; its number where it is now.
     *
     * @param owned what the giving partition has by its plan: bounds of buckets at its edges reach further
     */
    public OptionalInt move(int number, List<KeyRange> owned) {
        if (!from.mayDetach() || !to.mayAttach()) {
            return OptionalInt.empty();
        }
        List<KeyRange> ranges = KeyRange.common(from.bounds().rangesOf(number), owned);
        DetachedBucket moving = from.detach(number);
        return OptionalInt.of(to.attach(moving, ranges));
    }
}
