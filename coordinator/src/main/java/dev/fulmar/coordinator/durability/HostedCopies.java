package dev.fulmar.coordinator.durability;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.engine.partition.AccessGuard;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.SinglePartitionWork;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Predicate;

/** The copies of a database's partitions on this node. A node has one of each partition, though not all of them take part. */
public final class HostedCopies implements PartitionHomes, AccessGuard, HostedLog {
    private final ReplicationEnvironment environment;
    private volatile List<HostedCopy> copies = List.of();
    private volatile IntConsumer wakeSite = partition -> {};
    private volatile Predicate<Partition> deposer = partition -> false;

    HostedCopies(ReplicationEnvironment environment) {
        this.environment = environment;
    }

    /** Gives it the copies; before any partition runs. */
    void bind(List<HostedCopy> all) {
        copies = List.copyOf(all);
    }

    /**
     * Gives it the sites; before they start.
     *
     * @param newDeposer undoes what a partition has begun, on its thread; says whether a part of it is in the log without a decision
     */
    public void start(IntConsumer siteWaker, Predicate<Partition> newDeposer) {
        wakeSite = siteWaker;
        deposer = newDeposer;
    }

    /** The copy of a partition. */
    public HostedCopy of(PartitionId partition) {
        return copies.get(partition.number());
    }

    /** All copies, by partition. */
    public List<HostedCopy> all() {
        return copies;
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
    public boolean isHere(int partition) {
        HostedCopy copy = copies.get(partition);
        return copy.status().serves();
    }

    @Override
    public void pass(int partition, TransactionRequest request, ResponseSink sink) {
        environment.elsewhere().pass(new PartitionId(partition), request, sink);
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
        HostedCopy copy = of(partition.id());
        return copy.serves() || !copy.isJoined();
    }

    @Override
    public void wake(int partition) {
        wakeSite.accept(partition);
    }

    @Override
    public boolean depose(Partition partition) {
        return deposer.test(partition);
    }

    void turnEnded(Partition partition) {
        of(partition.id()).turnEnded();
    }

    boolean isCrowded(Partition partition) {
        return of(partition.id()).isCrowded();
    }
}
