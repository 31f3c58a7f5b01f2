package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.partition.CommitGate.GatedReply;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.engine.partition.ReplyBatch;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;

/**
 * Releases the replies that a partition held back for a strict reader, and confirms to it that this node has led until
 * now. Another primary would not have held them back. Later primaries of the partition commit above the reader's
 * timestamp, too.
 *
 * @param confirmed run once it is confirmed
 * @param broken run if it is unknown
 */
public record ConfirmedRelease(PartitionSnapshotRead visit, Runnable confirmed, Runnable broken)
        implements PartitionTask {
    /** The partition stops, so its confirmation is unknown. */
    @Override
    public void refused(PartitionId partition) {
        broken.run();
    }

    @Override
    public void run(Partition partition) {
        boolean heldBack = visit.hasHeldBack();
        visit.promise(partition);
        partition.readers().release(visit);
        if (!heldBack) {
            broken.run();
            return;
        }
        partition.readers().onceConfirmed(new GatedReply() {
            @Override
            public void leave(ReplyBatch replies) {
                confirmed.run();
            }

            @Override
            public void lost(FulmarException cause, ReplyBatch replies) {
                broken.run();
            }
        });
    }
}
