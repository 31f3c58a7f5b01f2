package dev.fulmar.coordinator.reconfiguration;

import dev.fulmar.engine.table.BucketTransfer;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;

/**
 * Port by which the database has a logged step of a reconfiguration executed again: on backups, in a recovery and in a
 * restoration. The subsystem that reconfigures implements it.
 */
public interface ReconfigurationReplay {
    /**
     * Takes the step that a primary took between the same transactions, and leaves the partition as the primary's step
     * did. On the partition's thread, or before it runs. Where readers or preparations stand in its way, it ends them
     * by {@link BucketTransfer#clearWay}.
     *
     * @param step the record's content
     * @throws FulmarException {@link ErrorCode#VERSION_MISMATCH} for content that this version does not know, and
     *     {@link ErrorCode#CORRUPTION} for one that the partition cannot follow
     */
    void replay(PartitionId partition, PartitionData data, byte[] step);

    /** Of a node without such a subsystem, which refuses every step. */
    static ReconfigurationReplay none() {
        return (partition, data, step) -> {
            throw new FulmarException(
                    ErrorCode.VERSION_MISMATCH,
                    "the log of partition " + partition
                            + " has a step of a reconfiguration, which this version of Fulmar does not know; start the"
                            + " version that wrote it");
        };
    }
}
