package dev.fulmar.coordinator.replication.building;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Port to a partition on the target node of a build: gives up the old copy, and makes the new one complete and durable.
 * For the partition's thread. The end of a call is reported on that thread, in the call or later, or never if the
 * device fails, for which the whole node ends.
 */
public interface CopyPlace {
    /**
     * Gives the copy here up: it counts for nothing from now on, not after a restart either. The primary has said that
     * it does not count, and never will again.
     *
     * @param copy that is about to be built
     */
    void giveUp(CopyId copy, Runnable done);

    /**
     * The highest epoch whose primary may have taken the copy here in. A primary of an older epoch does not know
     * whether the copy counts.
     */
    long heardEpoch();

    /** The newest version of the catalog that the node has. */
    long catalogVersion();

    /** Begins without rows, with the tables that the image has. */
    void prepare(CopyOrigin origin);

    /**
     * Completes the copy, whose log goes on behind the position. It counts once rows, memory and terms are as durable
     * as the database asks.
     *
     * @throws FulmarException if that cannot be
     */
    void complete(CopyId copy, CopyOrigin origin, Runnable done);

    /** Of a partition without a log. */
    static CopyPlace inMemory(PartitionRuntime runtime) {
        return new CopyPlace() {
            @Override
            public void giveUp(CopyId copy, Runnable done) {
                done.run();
            }

            @Override
            public long heardEpoch() {
                return 0;
            }

            @Override
            public long catalogVersion() {
                return runtime.program().catalog().version();
            }

            @Override
            public void prepare(CopyOrigin origin) {
                runtime.forgetEverything();
            }

            @Override
            public void complete(CopyId copy, CopyOrigin origin, Runnable done) {
                done.run();
            }
        };
    }
}
