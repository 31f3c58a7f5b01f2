package dev.fulmar.coordinator.replication.building;

import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.coordinator.membership.CopyId;

/**
 * Passes the steps of a build on to this node's {@link PartitionReplica}, which gives up its old copy and completes the
 * new one.
 */
final class ReplicaPlace implements CopyPlace {
    private final PartitionReplica here;

    ReplicaPlace(PartitionReplica here) {
        this.here = here;
    }

    @Override
    public void giveUp(CopyId copy, Runnable done) {
        here.giveUp(copy, done);
    }

    @Override
    public long heardEpoch() {
        return here.heardEpoch();
    }

    @Override
    public long catalogVersion() {
        return here.catalogVersion();
    }

    @Override
    public void prepare(CopyOrigin origin) {
        here.prepare(origin.catalogVersion());
    }

    @Override
    public void complete(CopyId copy, CopyOrigin origin, Runnable done) {
        here.complete(origin.end(), origin.epoch(), origin.history(), done);
    }
}
