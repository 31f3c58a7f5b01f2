package dev.fulmar.engine.checkpoint;

import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.engine.table.CheckpointScan;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.pmemlog.checkpoint.CheckpointPosition;
import dev.fulmar.pmemlog.checkpoint.CheckpointSource;
import dev.fulmar.pmemlog.checkpoint.RowBatch;

/** The rows of a partition for its checkpoints, in pieces that its thread makes between transactions. */
public final class PartitionCheckpointSource implements CheckpointSource {
    private final Partition partition;
    private final CheckpointCut cut;
    private final CheckpointScan scan;
    private final CheckpointCompanion companion;
    private boolean companionIsDone;

    /** There are no more checkpoints. For the partition's thread. */
    private boolean isAbandoned;

    public PartitionCheckpointSource(
            Partition partition, PartitionStorage storage, CheckpointCut cut, CheckpointCompanion companion) {
        this.partition = partition;
        this.cut = cut;
        this.scan = new CheckpointScan(storage);
        this.companion = companion;
    }

    @Override
    public int partition() {
        return partition.id().number();
    }

    @Override
    public void request(RowBatch batch) {
        PartitionTask piece = where -> scan(batch);
        // Only the first piece needs a moment without a transaction: what later ones need is saved before it changes.
        PartitionTask task = batch.isFirst() ? where -> where.whenQuiescent(piece) : piece;
        partition.inbox().put(task);
    }

    @Override
    public void abandoned() {
        partition.inbox().put((PartitionTask) where -> {
            isAbandoned = true;
            where.slices().add(scan::abandon);
        });
    }

    private void scan(RowBatch batch) {
        if (isAbandoned) {
            return; // nobody waits for what was asked before; a checkpoint that began now would never end
        }
        if (batch.isFirst() && !scan.prepare()) {
            request(batch); // transactions in between
            return;
        }
        if (batch.isFirst()) {
            Invariants.check(partition.isQuiescent(), "a checkpoint cuts the log where no transaction is under way");
            batch.at(cut.position(partition));
            scan.begin(batch);
            companion.begin();
            companionIsDone = false;
        }
        if (!companionIsDone) {
            companionIsDone = companion.fill(batch);
            batch.complete(false);
        } else {
            batch.complete(scan.fill(batch));
        }
    }

    @Override
    public boolean isDurable(CheckpointPosition position) {
        return cut.isDurable(partition, position);
    }
}
