package dev.fulmar.coordinator.durability.replica;

import dev.fulmar.coordinator.durability.log.CommitReplication;
import dev.fulmar.coordinator.durability.recovery.InDoubtResolver;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.Route;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.engine.partition.LeadershipGuard;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.SinglePartitionWork;
import dev.fulmar.engine.partition.TurnListener;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * This node's replicas, one of each partition and one of the catalog: connects them with the router, the log and other
 * nodes. Not all of them take part in the cluster.
 */
public final class PartitionReplicas
        implements PartitionHomes, LeadershipGuard, ReplicaEnvironment, CommitReplication, TurnListener {
    private final ReplicationEnvironment environment;
    private final PartitionControl control;
    private volatile List<PartitionReplica> copies = List.of();
    private volatile boolean isCatalogAwaited;
    private volatile int catalog;

    public PartitionReplicas(ReplicationEnvironment environment, PartitionControl control) {
        this.environment = environment;
        this.control = control;
    }

    /** Gives it the copies, that of the catalog last; before any partition runs. */
    public void bind(List<PartitionReplica> all) {
        catalog = all.size() - 1;
        copies = List.copyOf(all);
    }

    /** The copy of a partition. */
    public PartitionReplica of(PartitionId partition) {
        return copies.get(partition.number());
    }

    /**
     * The catalog's copy. In the cluster it counts as the partition after the last one: every node has a copy of it, it
     * has a record and a term as partitions have, and its primary makes the changes of the catalog.
     */
    public PartitionReplica catalog() {
        return copies.get(catalog);
    }

    /** The copies of all partitions and, last, of the catalog: what messages, times and news of the cluster concern. */
    public List<PartitionReplica> streams() {
        return copies;
    }

    /** The copies of all partitions. */
    public List<PartitionReplica> all() {
        return copies.subList(0, catalog);
    }

    /** Takes a message that another node's copies sent, for any thread; fails if it is none. */
    public void received(NodeId from, ByteBuffer message) {
        if (message.remaining() < Integer.BYTES) {
            throw new FulmarException(
                    ErrorCode.MALFORMED_REQUEST, "a node sent a message of a copy without a partition");
        }
        int partition = message.getInt();
        if (partition < 0 || partition >= copies.size()) {
            throw new FulmarException(
                    ErrorCode.MALFORMED_REQUEST,
                    "a node sent a message of partition " + partition + ", but the database has " + copies.size());
        }
        copies.get(partition).received(from, message);
    }

    @Override
    public Route route(int partition) {
        PartitionReplica copy = copies.get(partition);
        if (copy.takesRequests()) {
            return Route.LOCAL;
        }
        return copy.reads().isOpen() ? Route.COPY : Route.ELSEWHERE;
    }

    @Override
    public boolean changesCatalog() {
        PartitionReplica copy = catalog();
        return copy.hasJoined() ? copy.takesRequests() : !isCatalogAwaited;
    }

    /**
     * From now on the catalog is the cluster's: until this node takes part in it nothing is known of it, and nothing
     * changed. For any thread.
     */
    public void awaitCatalog() {
        isCatalogAwaited = true;
    }

    /** Whether this node takes part in the catalog, or will in a moment. For any thread. */
    public boolean hasCatalog() {
        return catalog().hasJoined();
    }

    @Override
    public boolean takesChanges(int partition) {
        PartitionReplica copy = copies.get(partition);
        // In a cluster a partition that is not here has no tables, or old ones: it gets those of its time when a copy
        // of it begins here.
        return copy.status().serves() || !(copy.hasJoined() || hasCatalog());
    }

    @Override
    public boolean knowsCatalog() {
        PartitionReplica copy = catalog();
        if (!copy.hasJoined()) {
            return !isCatalogAwaited; // if nobody awaits it each node has a catalog of its own
        }
        boolean isInSync = switch (copy.status().role()) {
            case PRIMARY, BACKUP -> true;
            case NONE, LEARNER -> false;
        };
        return isInSync && control.isNewestCatalogUsed();
    }

    @Override
    public boolean knowsCatalog(PartitionId partition, long epoch) {
        return isCounted(partition, epoch) && knowsCatalog();
    }

    @Override
    public boolean isCounted(PartitionId partition, long epoch) {
        return control.isCounted(partition, epoch);
    }

    @Override
    public void confirmRefusal(TransactionRequest request, ResponseSink sink, Runnable refusal) {
        PartitionReplica copy = catalog();
        if (!copy.hasJoined()) {
            refusal.run(); // of a catalog of its own; one that is awaited is known to nobody here, which is what the
            // refusal says
        } else if (!copy.takesRequests()) {
            passChange(request, sink);
        } else {
            copy.post(() -> copy.onceConfirmed(refusal, () -> {
                sink.respond(request, Answers.wrongNode(new PartitionId(catalog)));
                sink.flush();
            }));
        }
    }

    @Override
    public void pass(int partition, TransactionRequest request, ResponseSink sink) {
        environment.elsewhere().pass(new PartitionId(partition), request, sink);
    }

    @Override
    public void passChange(TransactionRequest request, ResponseSink sink) {
        pass(catalog, request, sink);
    }

    @Override
    public void cancel(long clientId, long requestId) {
        environment.elsewhere().cancel(clientId, requestId);
    }

    @Override
    public void departed(ResponseSink sink) {
        environment.elsewhere().departed(sink);
    }

    @Override
    public boolean admits(Partition partition, SinglePartitionWork work) {
        if (leads(partition)) {
            return true;
        }
        work.turnedAway(partition);
        return false;
    }

    @Override
    public boolean leads(Partition partition) {
        PartitionReplica copy = of(partition.id());
        return copy.serves() || !copy.isJoined();
    }

    @Override
    public boolean leads(Partition partition, long epoch) {
        PartitionReplica copy = of(partition.id());
        return leads(partition) && (!copy.isJoined() || copy.status().epoch() == epoch);
    }

    @Override
    public void wake(int partition) {
        control.wake(partition == catalog ? 0 : partition); // the catalog shares the first partition's thread
    }

    /** Lets all copies look at what came for them; for any thread. */
    public void wakeAll() {
        control.wakeAll();
    }

    @Override
    public boolean depose(PartitionId partition) {
        return partition.number() != catalog && control.depose(partition);
    }

    @Override
    public void abandon(PartitionId partition) {
        if (partition.number() != catalog) {
            control.abandon(partition);
        }
    }

    /** Marks the partition's copy as damaged, after its work broke off half-way. */
    @Override
    public boolean replaces(Partition partition, Throwable defect) {
        PartitionReplica copy = of(partition.id());
        if (!copy.isJoined()) {
            return false;
        }
        copy.broke(defect);
        return true;
    }

    @Override
    public boolean isCatalogCalm() {
        return control.isCatalogCalm();
    }

    @Override
    public InDoubtResolver doubts() {
        return control.doubts();
    }

    @Override
    public void diverged(String procedure) {
        control.diverged(procedure);
    }

    @Override
    public void promoted(PartitionId partition) {
        if (partition.number() != catalog) {
            control.promoted(partition);
        }
    }

    @Override
    public boolean isPrimary(Partition partition) {
        return of(partition.id()).leads();
    }

    @Override
    public void turnEnded(Partition partition) {
        of(partition.id()).turnEnded();
        if (partition.id().number() == 0) {
            catalog().turnEnded();
        }
    }

    /** Does what has come for the partition's copy, and with the first partition's for that of the catalog. */
    @Override
    public int turnBegins(Partition partition) {
        int done = of(partition.id()).work();
        if (partition.id().number() == 0) {
            done += catalog().work();
            control.goOnWithChanges();
        }
        return done;
    }

    @Override
    public boolean isCrowded(Partition partition) {
        return of(partition.id()).isCrowded();
    }
}
