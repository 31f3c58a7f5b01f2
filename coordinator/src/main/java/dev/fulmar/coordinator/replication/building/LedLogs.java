package dev.fulmar.coordinator.replication.building;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.foundation.id.PartitionId;
import org.jspecify.annotations.Nullable;

/** The logs of the partitions that this node leads. For the partition's thread. */
public interface LedLogs {
    /**
     * End of a log.
     *
     * @param end position behind the last record
     * @param epoch of the term
     * @param history that term and those before it
     */
    record Led(long end, long epoch, EpochHistory history) {}

    /** The records of a log from a position on are kept. */
    interface Hold {
        /** Whether they took more than they may and were given up. */
        boolean isGone();

        /** They are not needed any more. Harmless if said before. */
        void release();

        /** Nothing has to be kept, because nothing is ever given up. */
        static Hold ofEverything() {
            return new Hold() {
                @Override
                public boolean isGone() {
                    return false;
                }

                @Override
                public void release() {}
            };
        }
    }

    /** The partition's log; null while this node does not lead the partition. */
    @Nullable Led led(PartitionId partition);

    /** Whether the copies that were on the node before this one count for nothing here, and never will again. */
    boolean areOut(PartitionId partition, CopyId successor);

    /** Keeps the records from the position on. */
    Hold keep(PartitionId partition, long position);
}
