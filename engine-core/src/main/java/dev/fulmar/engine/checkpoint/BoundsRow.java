package dev.fulmar.engine.checkpoint;

import dev.fulmar.engine.partitioning.BucketBounds;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.table.RestoredBuckets;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of a partition's buckets, as the only row of a table of its own. Without them, as in checkpoints of
 * before, the buckets are those of the plan.
 */
public final class BoundsRow implements CheckpointCompanion {
    /** In the place of a table's id. */
    public static final int TABLE = -5;

    private final PartitionStorage storage;
    private @Nullable BucketBounds written;
    private BucketBounds current;

    /** @param written what the last checkpoint has; null if it has none */
    public BoundsRow(PartitionStorage storage, @Nullable BucketBounds written) {
        this.storage = storage;
        this.written = written;
        this.current = storage.bucketBounds();
    }

    /** Gives the partition the bounds of a checkpoint or of an image, and returns them. */
    public static BucketBounds restore(PartitionStorage storage, byte[] array, int offset, int length) {
        BucketBounds bounds = BucketBounds.of(Arrays.copyOfRange(array, offset, offset + length));
        new RestoredBuckets(storage).bounds(bounds);
        return bounds;
    }

    /** Adds the row of the bounds. */
    public static void add(BucketBounds bounds, RowBatch batch) {
        byte[] bytes = bounds.toBytes();
        batch.add(TABLE, 0, 0, bytes, 0, bytes.length);
    }

    @Override
    public void begin() {
        current = storage.bucketBounds();
    }

    @Override
    public boolean fill(RowBatch batch) {
        if (!current.equals(written)) {
            add(current, batch);
            written = current;
        }
        return true;
    }
}
