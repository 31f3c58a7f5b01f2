package dev.fulmar.engine.table;

import dev.fulmar.engine.memory.BlockHeap;
import dev.fulmar.engine.partitioning.BucketBounds;
import dev.fulmar.engine.partitioning.BucketLayout;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Puts the rows of a checkpoint where they were, and gives the partition the buckets that it had. Bounds and rows may
 * come in any order; {@link PartitionStorage#finishRestore} follows after the last.
 */
public final class RestoredBuckets {
    private final PartitionStorage storage;

    /** @param storage has tables and no rows */
    public RestoredBuckets(PartitionStorage storage) {
        this.storage = storage;
    }

    /** The buckets had this layout, whatever the partition would have by its plan. */
    public void layout(BucketLayout layout) {
        BucketBounds bounds = layout.bounds();
        bounds.buckets().forEach(this::open);
        layout.staged().forEach(one -> open(one.number()));
        storage.moves().restore(layout.staged());
        storage.buckets().map().become(bounds);
        for (int number = 0; number < storage.buckets().limit(); number++) {
            if (!bounds.buckets().contains(number)
                    && !storage.moves().isRestoring(number)
                    && storage.buckets().has(number)) {
                close(number);
            }
        }
    }

    private void open(int number) {
        if (!storage.buckets().has(number)) {
            storage.buckets().open(number, storage.memory());
            storage.partitioned().forEach(store -> store.renewBucket(number));
        }
    }

    private void close(int number) {
        if (storage.partitioned().stream()
                .anyMatch(store -> store.bucket(number).rowCount() > 0)) {
            throw new FulmarException(
                    ErrorCode.CORRUPTION,
                    "a checkpoint has rows in bucket " + number
                            + ", of which it has no bounds; restore the data directory from a copy");
        }
        // Tables that were dropped may still have memory of it, but the number is free: the primary may have given it.
        BlockHeap heap = storage.buckets().take(number);
        storage.partitioned().forEach(store -> store.renewBucket(number));
        closeOnceEmpty(heap);
    }

    private void closeOnceEmpty(BlockHeap heap) {
        if (heap.usedBytes() == 0) {
            heap.close();
        } else {
            storage.freeLater(mostSlots -> {
                closeOnceEmpty(heap); // behind those tables
                return true;
            });
        }
    }

    /** Puts a row where it was. */
    public void row(int tableId, int bucket, long slot, byte[] array, int offset, int length) {
        TableStore store = storage.table(tableId);
        boolean isReplicated = store.definition().isReplicated();
        if (bucket < 0 || bucket >= (isReplicated ? 1 : BucketBounds.MOST_BUCKETS)) {
            throw new FulmarException(
                    ErrorCode.CORRUPTION,
                    "a checkpoint has a row of table " + store.definition().name() + " in bucket " + bucket
                            + ", which there cannot be; restore the data directory from a copy");
        }
        if (!isReplicated) {
            open(bucket);
        }
        store.restore(bucket, slot, array, offset, length);
    }
}
