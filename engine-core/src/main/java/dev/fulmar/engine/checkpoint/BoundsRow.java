package dev.fulmar.engine.checkpoint;

import dev.fulmar.engine.partitioning.BucketLayout;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.table.RestoredBuckets;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a partition's buckets, as the only row of a table of its own. Without it, as in checkpoints of before,
 * the buckets are those of the plan.
 */
public final class BoundsRow implements CheckpointCompanion {
    /** In the place of a table's id. */
    public static final int TABLE = -5;

    private final PartitionStorage storage;
    private @Nullable BucketLayout written;
    private BucketLayout current;

    /** @param written what the last checkpoint has; null if it has none */
    public BoundsRow(PartitionStorage storage, @Nullable BucketLayout written) {
        this.storage = storage;
        this.written = written;
        this.current = storage.moves().layout();
    }

    /** Gives the partition the layout of a checkpoint or of an image, and returns it. */
    public static BucketLayout restore(PartitionStorage storage, byte[] array, int offset, int length) {
        BucketLayout layout = BucketLayout.of(Arrays.copyOfRange(array, offset, offset + length));
        new RestoredBuckets(storage).layout(layout);
        return layout;
    }

    /** Adds the row of the layout. */
    public static void add(BucketLayout layout, RowBatch batch) {
        byte[] bytes = layout.toBytes();
        batch.add(TABLE, 0, 0, bytes, 0, bytes.length);
    }

    @Override
    public void begin() {
        current = storage.moves().layout();
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
