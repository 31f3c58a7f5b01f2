package dev.fulmar.coordinator.replication.building;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Where a partition's copy is durable. For the partition's thread; what is done is told on that thread, in the call or later, or never if the device fails, for
 * which the whole node ends.
 */
public interface CopyPlace {
    /**
     * What is here counts for nothing from now on: not as a copy after a restart either.
     *
     * @param copy that is about to be built
     */
    void giveUp(CopyId copy, Runnable done);

    /**
     * The copy is whole: its log goes on behind the position, and once rows, memory and terms are as durable as the database asks, it counts.
     *
     * @throws FulmarException if that cannot be
     */
    void complete(CopyId copy, CopyOrigin origin, Runnable done);

    /** Of a database whose copies are in memory only. */
    static CopyPlace inMemory() {
        return new CopyPlace() {
            @Override
            public void giveUp(CopyId copy, Runnable done) {
                done.run();
            }

            @Override
            public void complete(CopyId copy, CopyOrigin origin, Runnable done) {
                done.run();
            }
        };
    }
}
