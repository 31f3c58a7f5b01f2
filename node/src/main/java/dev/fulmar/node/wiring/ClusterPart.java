package dev.fulmar.node.wiring;

import com.google.protobuf.ByteString;
import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.cluster.ClusterMember;
import dev.fulmar.coordinator.cluster.RequestForwarding;
import dev.fulmar.coordinator.cluster.SessionCancels;
import dev.fulmar.coordinator.cluster.Topology;
import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.coordinator.durability.replica.ReplicationEnvironment;
import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.participation.ClusterParticipation;
import dev.fulmar.coordinator.participation.ClusterSurroundings;
import dev.fulmar.coordinator.participation.ParticipationListener;
import dev.fulmar.coordinator.participation.ParticipationSettings;
import dev.fulmar.coordinator.remote.ClusterPorts;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.network.real.LinkSecurity;
import dev.fulmar.foundation.network.real.LinkSettings;
import dev.fulmar.foundation.network.real.TcpNetwork;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.random.real.SystemSeed;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.node.config.ClusterConfiguration;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.reconfig.peer.Peers;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.proto.Host;
import dev.fulmar.wire.proto.Welcome;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects a node's process with its cluster: listens for other nodes, and runs a {@link ClusterParticipation} over the
 * network and the cluster's store.
 */
final class ClusterPart implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterPart.class);
    private static final long PATIENCE_SECONDS = 60;
    private static final long HAND_OVER_NANOS = 2_000_000_000;
    private static final long HAND_OVER_POLL_NANOS = 2_000_000;
    private static final long ROUTES_PERIOD_NANOS = 100_000_000;

    private final ClusterStore store;
    private final ClusterRecord cluster;
    private final TcpNetwork network;
    private final ClusterParticipation participation;
    private final Scheduler scheduler;
    private volatile boolean closed;
    private final CompletableFuture<Long> enrolled = new CompletableFuture<>();

    /**
     * Reaches the store and begins to listen for other nodes.
     *
     * @param files where the copies keep what they confirmed; null if they do not
     * @param security TLS for links; null for none
     * @param threads makes the membership's
     * @param cancels ends statements of this node's sessions for other nodes
     * @param onRefusal told why the process must stop
     */
    ClusterPart(
            NodeConfiguration configuration,
            ClusterStore store,
            Clock clock,
            Scheduler scheduler,
            @Nullable Storage files,
            @Nullable LinkSecurity security,
            AgentThreads threads,
            SessionCancels cancels,
            Consumer<FulmarException> onRefusal) {
        ClusterConfiguration own = configuration.cluster();
        NodeId self = new NodeId(configuration.node());
        this.store = store;
        this.scheduler = scheduler;
        this.cluster = store.cluster();
        this.network = new TcpNetwork(self, LinkSettings.DEFAULTS, security);
        String address = listen(own);
        this.participation = new ClusterParticipation(
                new ClusterSurroundings(
                        network,
                        new ClusterLinks(network),
                        address,
                        store.state(),
                        clock,
                        scheduler,
                        files,
                        threads.membership((agent, thrown) -> onRefusal.accept(broke(thrown))),
                        new SeededRandom(SystemSeed.draw()),
                        cancels,
                        Probes.NONE),
                ParticipationSettings.ofHeap(Runtime.getRuntime().maxMemory(), cluster.partitions()),
                new Listener(onRefusal));
    }

    private static FulmarException broke(Throwable thrown) {
        return new FulmarException(ErrorCode.INTERNAL, "the membership broke", thrown);
    }

    private String listen(ClusterConfiguration own) {
        HostAddress wanted = own.listen();
        try {
            InetSocketAddress bound = network.listen(new InetSocketAddress(wanted.host(), wanted.port()));
            return own.advertised().isEmpty()
                    ? new HostAddress(wanted.host(), bound.getPort()).toString()
                    : own.advertised();
        } catch (IOException e) {
            network.close();
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the node cannot listen for other nodes at " + wanted + " (" + e.getMessage()
                            + "); choose an address of this machine and a free port with --listen-nodes",
                    e);
        }
    }

    /** Fails if a partition would be without a copy in sync if this node stopped now. */
    void checkDispensable() {
        Topology known = member().topology();
        for (int partition = 0; known != null && partition < known.partitions(); partition++) {
            PartitionRecord record = known.recordOf(new PartitionId(partition));
            if (record == null
                    || (record.inSync().size() == 1
                            && record.inSyncOn(network.self()).isPresent())) {
                throw new FulmarException(
                        ErrorCode.SERVER_BUSY,
                        "partition " + partition + " has no copy in sync on another node; wait until bin/fulmar cluster"
                                + " status shows one");
            }
        }
    }

    ClusterRecord cluster() {
        return cluster;
    }

    ClusterMember member() {
        return participation.member();
    }

    RequestForwarding forwarding() {
        return participation.forwarding();
    }

    TcpNetwork network() {
        return network;
    }

    /** The database's view of the cluster. */
    ReplicationEnvironment environment() {
        return participation.environment();
    }

    /** The way of the database's transactions to other nodes. */
    ClusterPorts transactions() {
        return participation.transactions();
    }

    /**
     * The way of reconfigurations to other nodes.
     *
     * @param random draws other numbers in each process
     */
    Peers.Links reconfiguration(RandomSource random) {
        return new Peers.Links(participation.reconfiguration(), participation.primaries(), random.nextLong());
    }

    /** Tells a client that connects of the cluster, and where its other nodes are. */
    Welcome describe(Welcome own) {
        UUID id = cluster.clusterId();
        Welcome.Builder builder = own.toBuilder()
                .setCluster(ByteString.copyFrom(ByteBuffer.allocate(2 * Long.BYTES)
                        .putLong(id.getMostSignificantBits())
                        .putLong(id.getLeastSignificantBits())
                        .flip()));
        forwarding().clientAddresses().forEach((node, address) -> {
            if (!node.equals(network.self())) {
                HostAddress parsed = HostAddress.parse(address);
                builder.addHosts(Host.newBuilder()
                        .setNode(node.number())
                        .setAddress(parsed.host())
                        .setPort(parsed.port()));
            }
        });
        return builder.build();
    }

    /**
     * Takes the process's place, with the database's copies. The database is open, clients reach it at the address.
     * Waits until the process has its place.
     */
    void start(Database database, HostAddress clientAddress, ClientRouting routing) {
        participation.start(database, clientAddress.toString());
        try {
            enrolled.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            checkStore(database);
            participation.begin();
            lookAtRoutes(routing);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FulmarException(ErrorCode.NODE_STOPPING, "interrupted while the node took its place", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof FulmarException refused ? refused : new IllegalStateException(e);
        } catch (TimeoutException e) {
            throw new FulmarException(
                    ErrorCode.NOT_CONNECTED,
                    "the node could not take its place in the cluster within " + PATIENCE_SECONDS
                            + " s; check that ZooKeeper runs",
                    e);
        }
    }

    /**
     * Fails if ZooKeeper has forgotten a term that a log here tells of: each is in its records first. Then it does not
     * know either which copies have what was acknowledged, and the partition would wait for ever. The node has just
     * written to ZooKeeper, so it does not read an earlier state. Changes of who is in sync within a term do not show.
     */
    private void checkStore(Database database) {
        for (PartitionReplica copy : database.copies().streams()) {
            PartitionRecord record =
                    store.read(new StateKey.Partition(copy.partition())).record();
            long known = record == null ? 0 : record.epoch();
            if (known < copy.recoveredEpoch()) {
                throw new FulmarException(
                        ErrorCode.STORAGE_FAILURE,
                        "ZooKeeper has lost records of the cluster: the log of " + copy.partition()
                                + " here has the term of epoch " + copy.recoveredEpoch() + ", and ZooKeeper knows "
                                + (record == null ? "none" : "epoch " + known)
                                + "; restore ZooKeeper's files (zookeeper in the data directory of a node that runs"
                                + " it) as they were when the last node ended, or make the cluster anew in empty directories and load a dump");
            }
        }
    }

    private void lookAtRoutes(ClientRouting routing) {
        if (!closed) {
            routing.look(member().topology(), forwarding().clientAddresses());
            scheduler.schedule(ROUTES_PERIOD_NANOS, () -> lookAtRoutes(routing));
        }
    }

    /**
     * Lets other nodes lead this node's partitions and do without its copies, so that neither they nor clients wait
     * when it ends. It waits for that, but not for long.
     *
     * @param waits whether this node is well, so that others can take over from it
     */
    static void handOver(@Nullable ClusterPart part, boolean waits) {
        if (part == null) {
            return;
        }
        long began = System.nanoTime();
        part.member().leave();
        while (waits && !part.member().isDispensable()) {
            if (System.nanoTime() - began > HAND_OVER_NANOS) {
                LOG.warn("not all partitions were handed over within {} s", HAND_OVER_NANOS / 1_000_000_000);
                return;
            }
            LockSupport.parkNanos(HAND_OVER_POLL_NANOS);
        }
        LOG.info(
                "nothing waits for this node any more, {} ms after it began to stop",
                (System.nanoTime() - began) / 1_000_000);
    }

    private final class Listener implements ParticipationListener {
        private final Consumer<FulmarException> onRefusal;

        Listener(Consumer<FulmarException> onRefusal) {
            this.onRefusal = onRefusal;
        }

        @Override
        public void enrolled(ClusterRecord record, long incarnation) {
            LOG.info("{} is process {} of its node in cluster {}", network.self(), incarnation, record.name());
            enrolled.complete(incarnation);
        }

        @Override
        public void refused(FulmarException refused) {
            if (!enrolled.completeExceptionally(refused)) {
                onRefusal.accept(refused);
            }
        }

        @Override
        public void rebuilds(PartitionId partition, NodeId primary) {
            LOG.warn("the copy of {} cannot follow {} and is built anew", partition, primary);
        }

        @Override
        public void complaint(String message) {
            LOG.error("{}", message);
        }
    }

    /** Leaves: others notice at once. */
    @Override
    public void close() {
        closed = true;
        participation.leave();
        network.close();
        participation.close();
        store.close();
    }
}
