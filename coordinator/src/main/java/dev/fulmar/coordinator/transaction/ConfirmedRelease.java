package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.partition.CommitGate.GatedReply;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.engine.partition.ReplyBatch;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;

/**
 * Lets replies go that a strict reader held back, and says so once it is sure that this node led the partition until
 * now: another one would not have held them. Whoever leads the partition later commits above the reader's timestamp,
 * too.
 *
 * @param confirmed it did
 * @param broken nobody knows
 */
public record ConfirmedRelease(PartitionSnapshotRead visit, Runnable confirmed, Runnable broken)
        implements PartitionTask {
    /** The partition stops: nobody knows what it would have said. */
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
