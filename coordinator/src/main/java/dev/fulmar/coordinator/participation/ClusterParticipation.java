package dev.fulmar.coordinator.participation;

import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.cluster.ClusterMember;
import dev.fulmar.coordinator.cluster.MemberListener;
import dev.fulmar.coordinator.cluster.NodeChannel;
import dev.fulmar.coordinator.cluster.NodeMessages;
import dev.fulmar.coordinator.cluster.RequestForwarding;
import dev.fulmar.coordinator.cluster.Topology;
import dev.fulmar.coordinator.durability.ddl.DdlCoordinator;
import dev.fulmar.coordinator.durability.recovery.InDoubtResolver;
import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.coordinator.durability.replica.PartitionReplicas;
import dev.fulmar.coordinator.durability.replica.ReplicationEnvironment;
import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.enrollment.Enrollment;
import dev.fulmar.coordinator.reconfiguration.PrimaryNodes;
import dev.fulmar.coordinator.remote.ClusterPorts;
import dev.fulmar.coordinator.remote.RemoteTransactions;
import dev.fulmar.coordinator.replication.building.BuildOutbox;
import dev.fulmar.coordinator.replication.building.CopyRebuilding;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.foundation.agent.AgentRunner;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.network.Network;
import dev.fulmar.foundation.storage.Storage;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes a database's process part of a cluster: assembles and owns its messages, its {@link ClusterMember}, request
 * forwarding and the rebuilding of copies. Its life: it is made, its {@linkplain #environment() environment} goes into
 * a database, {@link #start} takes the process's place, and {@link #begin} lets the copies take part. No call blocks
 * but for a file.
 */
public final class ClusterParticipation implements AutoCloseable {
    private final ClusterSurroundings surroundings;
    private final ParticipationSettings settings;
    private final ParticipationListener listener;
    private final NodeMessages messages;
    private final ClusterMember member;
    private final RequestForwarding forwarding;
    private final AgentRunner runner;
    private final Optional<MemberIdentity> identity;
    private volatile @Nullable Database database;
    private volatile @Nullable ClusterRecord cluster;
    private volatile @Nullable CopyRebuilding rebuilding;
    private volatile boolean closed;

    public ClusterParticipation(
            ClusterSurroundings surroundings, ParticipationSettings settings, ParticipationListener listener) {
        this.surroundings = surroundings;
        this.settings = settings;
        this.listener = listener;
        Storage files = surroundings.files();
        this.identity = files == null ? Optional.empty() : MemberIdentity.read(files);
        this.messages = new NodeMessages(surroundings.network());
        this.member = new ClusterMember(
                surroundings.state(),
                messages,
                surroundings.links(),
                surroundings.clock(),
                surroundings.scheduler(),
                new Enrollment.Applicant(self(), surroundings.address(), identity.map(MemberIdentity::clusterId)),
                settings.member(),
                new Listener());
        this.forwarding = new RequestForwarding(
                messages.on(NodeChannel.REQUEST),
                member::topology,
                surroundings.random().nextLong(),
                surroundings.cancels());
        this.runner = surroundings.runners().apply(member);
        member.wakeWith(runner::wakeUp);
    }

    private NodeId self() {
        return surroundings.network().self();
    }

    public ClusterMember member() {
        return member;
    }

    public RequestForwarding forwarding() {
        return forwarding;
    }

    /** The copies that are being built here; null before {@link #begin}. */
    public @Nullable CopyRebuilding rebuilding() {
        return rebuilding;
    }

    /** The environment that the database needs for its copies. */
    public ReplicationEnvironment environment() {
        Network channel = messages.on(NodeChannel.REPLICATION);
        return new ReplicationEnvironment(
                channel::send,
                member::storeOf,
                elsewhere(),
                this::rebuild,
                InDoubtResolver.undo(),
                (node, refused) -> channel.endSession(node, String.valueOf(refused.getMessage())),
                listener::complaint,
                settings.limits(),
                settings.retainedBytes(),
                surroundings.probes());
    }

    private ReplicationEnvironment.Elsewhere elsewhere() {
        return new ReplicationEnvironment.Elsewhere() {
            @Override
            public void pass(PartitionId partition, TransactionRequest request, ResponseSink sink) {
                forwarding.pass(partition, request, sink);
            }

            @Override
            public void cancel(long clientId, long requestId) {
                forwarding.cancel(clientId, requestId);
            }

            @Override
            public void departed(ResponseSink sink) {
                forwarding.departed(sink);
            }
        };
    }

    /** The way of the database's transactions to other nodes. */
    public ClusterPorts transactions() {
        return ClusterPorts.over(messages.on(NodeChannel.TRANSACTION), member::topology, surroundings.probes());
    }

    /** The nodes that lead partitions, for reconfigurations. */
    public PrimaryNodes primaries() {
        return new PrimaryNodes() {
            @Override
            public @Nullable NodeId of(PartitionId partition) {
                Topology known = member.topology();
                return known == null ? null : known.primaryOf(partition);
            }

            @Override
            public @Nullable NodeId ofCatalog() {
                Topology known = member.topology();
                return known == null ? null : known.primaryOf(known.catalog());
            }
        };
    }

    /** The way of reconfigurations to other nodes, whose receiver must be there before {@link #start}. */
    public Network reconfiguration() {
        return messages.on(NodeChannel.RECONFIGURATION);
    }

    /**
     * Begins to take the process's place, with the database's copies.
     *
     * @param opened which is open; clients reach it at the address
     */
    public void start(Database opened, String clientAddress) {
        database = opened;
        opened.copies().awaitCatalog();
        messages.on(NodeChannel.REPLICATION).onMessage(opened.copies()::received);
        messages.on(NodeChannel.COPY).onMessage((from, message) -> {
            CopyRebuilding builder = rebuilding;
            if (builder != null) {
                builder.received(from, message);
            }
        });
        RemoteTransactions transactions = opened.remote();
        if (transactions != null) {
            transactions.listenTo(messages.on(NodeChannel.TRANSACTION), forwarding::isBroken);
        }
        opened.census().connect(messages.on(NodeChannel.STATISTICS));
        Network catalog = messages.on(NodeChannel.CATALOG);
        DdlCoordinator changes = opened.ddl();
        changes.connect(new ChangeLinks(catalog, member::topology));
        catalog.onMessage(changes::received);
        catalog.onLink(new Losses(changes::linkLost));
        forwarding.serve(opened, clientAddress, opened.underWay());
        runner.start();
        member.start();
    }

    /** Tells of links that are lost. */
    private record Losses(Consumer<NodeId> lost) implements Network.LinkListener {
        @Override
        public void linkUp(NodeId node) {}

        @Override
        public void linkLost(NodeId node) {
            lost.accept(node);
        }
    }

    /** Nodes that have a part in changes of the catalog. */
    private record ChangeLinks(Network channel, Supplier<@Nullable Topology> topology) implements DdlCoordinator.Links {
        @Override
        public boolean send(NodeId to, ByteBuffer message) {
            return channel.send(to, message);
        }

        @Override
        public Set<NodeId> leaders() {
            Topology known = topology.get();
            Set<NodeId> leaders = new TreeSet<>();
            for (int number = 0; known != null && number < known.partitions(); number++) {
                NodeId leader = known.primaryOf(new PartitionId(number));
                if (leader != null && !leader.equals(channel.self())) {
                    leaders.add(leader);
                }
            }
            return leaders;
        }

        @Override
        public boolean isFounded(PartitionId partition) {
            Topology known = topology.get();
            return known == null || known.recordOf(partition) != null;
        }

        @Override
        public @Nullable NodeId changer() {
            Topology known = topology.get();
            return known == null ? null : known.primaryOf(known.catalog());
        }

        @Override
        public Set<NodeId> witnesses() {
            Topology known = topology.get();
            PartitionRecord record = known == null ? null : known.recordOf(known.catalog());
            Set<NodeId> witnesses = new TreeSet<>();
            if (record != null) {
                record.inSync().forEach(copy -> witnesses.add(copy.node()));
            }
            witnesses.remove(channel.self());
            return witnesses;
        }
    }

    private void rebuild(PartitionReplica copy, PartitionRecord term) {
        CopyRebuilding builder = rebuilding;
        if (builder == null) {
            throw Invariants.breach("a copy takes part before it could be built anew");
        }
        listener.rebuilds(copy.partition(), term.primary().node());
        builder.rebuild(copy, term);
    }

    /** Lets the copies take part, once the process has its place. */
    public void begin() {
        Database opened = database;
        ClusterRecord record = cluster;
        if (opened == null || record == null) {
            throw Invariants.breach("the process has no place in its cluster yet");
        }
        PartitionReplicas copies = opened.copies();
        CopyRebuilding builder = new CopyRebuilding(
                self(),
                member.incarnation(),
                settings.builds().apply(opened.configuration().versionBytes()),
                new BuildLinks(messages.on(NodeChannel.COPY)),
                surroundings.probes());
        builder.bind(copies);
        rebuilding = builder;
        long first = firstLife(builder, record);
        member.offer(
                copies.streams(),
                copy -> builder.lifeAfterRestart(copy, surroundings.files() != null, first)
                        .life(),
                copies::wakeAll);
        lookAtBuilds(builder);
    }

    private void lookAtBuilds(CopyRebuilding builder) {
        if (!closed) {
            builder.timePassed();
            surroundings.scheduler().schedule(settings.buildPeriodNanos(), () -> lookAtBuilds(builder));
        }
    }

    /** Outbox for the messages between copies that are built and their sources. */
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
    private long firstLife(CopyRebuilding builder, ClusterRecord record) {
        long next = builder.nextLife(0).life();
        Storage files = surroundings.files();
        if (files == null) {
            return next;
        }
        MemberIdentity kept = identity.orElseGet(() -> {
            MemberIdentity begun = new MemberIdentity(record.clusterId(), self().number(), next);
            begun.write(files);
            return begun;
        });
        if (kept.node() != self().number()) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the data directory belongs to node " + kept.node() + " of the cluster, not to " + self().number()
                            + "; start that node on it, or choose another directory");
        }
        return kept.life();
    }

    private final class Listener implements MemberListener {
        @Override
        public void enrolled(ClusterRecord record, long incarnation) {
            cluster = record;
            listener.enrolled(record, incarnation);
        }

        @Override
        public void refused(String message) {
            listener.refused(new FulmarException(ErrorCode.INVALID_CONFIGURATION, message));
        }

        @Override
        public void complaint(String message) {
            listener.complaint(message);
        }
    }

    /** Takes part no more. */
    public void leave() {
        closed = true;
        member.stop();
    }

    /** Ends the member's thread, after {@link #leave}. */
    @Override
    public void close() {
        leave();
        runner.close();
    }
}
