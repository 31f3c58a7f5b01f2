package dev.fulmar.node.wiring;

import com.google.protobuf.ByteString;
import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.cluster.ClusterMember;
import dev.fulmar.coordinator.cluster.MemberListener;
import dev.fulmar.coordinator.cluster.MemberSettings;
import dev.fulmar.coordinator.cluster.NodeChannel;
import dev.fulmar.coordinator.cluster.NodeMessages;
import dev.fulmar.coordinator.cluster.RequestForwarding;
import dev.fulmar.coordinator.durability.HostedCopies;
import dev.fulmar.coordinator.durability.HostedCopy;
import dev.fulmar.coordinator.durability.PromotionDoubts;
import dev.fulmar.coordinator.durability.ReplicationEnvironment;
import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.enrollment.Enrollment;
import dev.fulmar.coordinator.replication.PrimaryReplication;
import dev.fulmar.coordinator.replication.building.BuildOutbox;
import dev.fulmar.coordinator.replication.building.BuildSettings;
import dev.fulmar.coordinator.replication.building.CopyRebuilding;
import dev.fulmar.foundation.agent.real.IdleStrategy;
import dev.fulmar.foundation.agent.real.ThreadAgentRunner;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;
import dev.fulmar.foundation.network.real.LinkSettings;
import dev.fulmar.foundation.network.real.TcpNetwork;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.node.config.ClusterConfiguration;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.data.MemberIdentity;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.proto.Host;
import dev.fulmar.wire.proto.Welcome;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This process's part in its cluster: the links, the membership, the copies, the requests that go elsewhere. */
final class ClusterPart implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterPart.class);
    private static final long PATIENCE_SECONDS = 60;
    private static final long BUILD_PERIOD_NANOS = 100_000_000;
    private static final long RETAINED_BYTES = 64L << 20;
    private static final PrimaryReplication.Limits LIMITS =
            new PrimaryReplication.Limits(10_000, 8, 1_000, 500_000_000);
    private static final IdleStrategy IDLE = new IdleStrategy(0, 1, 5_000_000);

    private final ClusterStore store;
    private final ClusterRecord cluster;
    private final TcpNetwork network;
    private final NodeMessages messages;
    private final ClusterMember member;
    private final RequestForwarding forwarding;
    private final ThreadAgentRunner runner;
    private final @Nullable Storage lives;
    private final Optional<MemberIdentity> identity;
    private final Scheduler scheduler;
    private volatile @Nullable CopyRebuilding rebuilding;
    private volatile boolean closed;
    private final CompletableFuture<Long> enrolled = new CompletableFuture<>();

    /**
     * Reaches the store and begins to listen for other nodes.
     *
     * @param files where the copies keep what they confirmed; null if they do not
     * @param onRefusal told why the process must stop
     */
    ClusterPart(
            NodeConfiguration configuration,
            ClusterStore store,
            Clock clock,
            Scheduler scheduler,
            @Nullable Storage files,
            Consumer<FulmarException> onRefusal) {
        ClusterConfiguration own = configuration.cluster();
        NodeId self = new NodeId(configuration.node());
        this.store = store;
        this.scheduler = scheduler;
        this.cluster = store.cluster();
        this.lives = files;
        this.identity = files == null ? Optional.empty() : MemberIdentity.read(files);
        this.network = new TcpNetwork(self, LinkSettings.DEFAULTS, null);
        String address = listen(own);
        this.messages = new NodeMessages(network);
        this.member = new ClusterMember(
                store.state(),
                messages,
                new ClusterLinks(network),
                clock,
                scheduler,
                new Enrollment.Applicant(self, address, identity.map(MemberIdentity::clusterId)),
                MemberSettings.DEFAULTS,
                new Listener(onRefusal));
        this.forwarding = new RequestForwarding(messages.on(NodeChannel.REQUEST), member::topology);
        this.runner =
                new ThreadAgentRunner(member, IDLE, OptionalInt.empty(), thrown -> onRefusal.accept(broke(thrown)));
        member.wakeWith(runner::wakeUp);
    }

    private static FulmarException broke(Throwable thrown) {
        return new FulmarException(ErrorCode.INTERNAL, "the membership broke: " + thrown, thrown);
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

    ClusterRecord cluster() {
        return cluster;
    }

    ClusterMember member() {
        return member;
    }

    RequestForwarding forwarding() {
        return forwarding;
    }

    TcpNetwork network() {
        return network;
    }

    /** What the database needs of it. */
    ReplicationEnvironment environment() {
        Network channel = messages.on(NodeChannel.REPLICATION);
        return new ReplicationEnvironment(
                channel::send,
                member::storeOf,
                forwarding::pass,
                this::rebuild,
                PromotionDoubts.undo(),
                (node, refused) -> channel.endSession(node, String.valueOf(refused.getMessage())),
                complaint -> LOG.error("{}", complaint),
                LIMITS,
                RETAINED_BYTES,
                Probes.NONE);
    }

    /** Tells a client that connects of the cluster, and where its other nodes are. */
    Welcome describe(Welcome own) {
        UUID id = cluster.clusterId();
        Welcome.Builder builder = own.toBuilder()
                .setCluster(ByteString.copyFrom(ByteBuffer.allocate(2 * Long.BYTES)
                        .putLong(id.getMostSignificantBits())
                        .putLong(id.getLeastSignificantBits())
                        .flip()));
        forwarding.clientAddresses().forEach((node, address) -> {
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

    /** Takes the process's place, with the database's copies. The database is open, clients reach it at the address. Waits until the process has its place. */
    void start(Database database, HostAddress clientAddress) {
        messages.on(NodeChannel.REPLICATION).onMessage(database.copies()::received);
        messages.on(NodeChannel.COPY).onMessage((from, message) -> {
            CopyRebuilding builder = rebuilding;
            if (builder != null) {
                builder.received(from, message);
            }
        });
        forwarding.serve(database, clientAddress.toString());
        runner.start();
        member.start();
        try {
            long incarnation = enrolled.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            begin(database.copies(), incarnation, database.configuration().versionBytes());
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

    private void rebuild(HostedCopy copy, PartitionRecord term) {
        CopyRebuilding builder = rebuilding;
        if (builder == null) {
            throw new IllegalStateException("a copy takes part before it could be built anew");
        }
        LOG.warn("the copy of {} cannot follow {} and is built anew", copy.partition(), term.primary());
        builder.rebuild(copy, term);
    }

    private void begin(HostedCopies copies, long incarnation, long versionBytes) {
        CopyRebuilding builder = new CopyRebuilding(
                network.self(),
                incarnation,
                BuildSettings.usual(versionBytes),
                new BuildLinks(messages.on(NodeChannel.COPY)),
                Probes.NONE);
        builder.bind(copies);
        rebuilding = builder;
        long first = firstLife(builder);
        member.offer(
                copies.all(),
                copy -> builder.lifeAfterRestart(copy, lives != null, first).life());
        lookAtBuilds(builder);
    }

    private void lookAtBuilds(CopyRebuilding builder) {
        if (!closed) {
            builder.timePassed();
            scheduler.schedule(BUILD_PERIOD_NANOS, () -> lookAtBuilds(builder));
        }
    }

    /** What copies that are built say to each other. */
    private record BuildLinks(Network channel) implements BuildOutbox {
        @Override
        public void send(NodeId to, ByteBuffer... parts) {
            channel.send(to, parts);
        }

        @Override
        public void endLink(NodeId node, String reason) {
            channel.endSession(node, reason);
        }
    }

    /** Copies that keep what they confirmed are the same after a restart; others begin another life each time. */
    private long firstLife(CopyRebuilding builder) {
        long next = builder.nextLife(0).life();
        Storage files = lives;
        if (files == null) {
            return next;
        }
        MemberIdentity kept = identity.orElseGet(() -> {
            MemberIdentity begun =
                    new MemberIdentity(cluster.clusterId(), network.self().number(), next);
            begun.write(files);
            return begun;
        });
        if (kept.node() != network.self().number()) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the data directory belongs to node " + kept.node() + " of the cluster, not to "
                            + network.self().number() + "; start that node on it, or choose another directory");
        }
        return kept.life();
    }

    private final class Listener implements MemberListener {
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
        public void refused(String message) {
            FulmarException refused = new FulmarException(ErrorCode.INVALID_CONFIGURATION, message);
            if (!enrolled.completeExceptionally(refused)) {
                onRefusal.accept(refused);
            }
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
        member.stop();
        network.close();
        runner.close();
        store.close();
    }
}
