package dev.fulmar.coordinator;

import dev.fulmar.coordinator.cluster.NodeChannel;
import dev.fulmar.coordinator.cluster.NodeMessages;
import dev.fulmar.coordinator.cluster.Topology;
import dev.fulmar.coordinator.door.BucketCutter;
import dev.fulmar.coordinator.door.BucketSender;
import dev.fulmar.coordinator.durability.ddl.DdlCoordinator;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.durability.recovery.InDoubtResolver;
import dev.fulmar.coordinator.durability.replica.CopyBuilder;
import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.coordinator.durability.replica.ReplicationEnvironment;
import dev.fulmar.coordinator.fiber.SteppedFibers;
import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.ClusterState;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.ReadOutcome;
import dev.fulmar.coordinator.membership.SessionState;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.StateListener;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.coordinator.membership.detection.DetectionSettings;
import dev.fulmar.coordinator.membership.detection.FailureDetector;
import dev.fulmar.coordinator.membership.detection.HeartbeatExchange;
import dev.fulmar.coordinator.membership.leadership.Leadership;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent;
import dev.fulmar.coordinator.remote.ClusterPorts;
import dev.fulmar.coordinator.replication.PrimaryReplication;
import dev.fulmar.coordinator.replication.RecordStore;
import dev.fulmar.coordinator.replication.building.BuildOutbox;
import dev.fulmar.coordinator.replication.building.BuildSettings;
import dev.fulmar.coordinator.replication.building.CopyRebuilding;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.transaction.NodeServices;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partition.CommandLog;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.network.Network;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One process of a simulated cluster: a database with its copies, and what drives them. */
final class ClusterNode implements StateListener {
    private static final UUID CLUSTER = new UUID(1, 1);
    private static final long PERIOD_NANOS = 20_000_000;
    private static final long INTERVAL_NANOS = 50_000_000;
    private static final long FIBER_NANOS = 100_000;
    private static final DetectionSettings DETECTION =
            new DetectionSettings(INTERVAL_NANOS, 10 * INTERVAL_NANOS, 2 * INTERVAL_NANOS);
    static final PrimaryReplication.Limits LIMITS = new PrimaryReplication.Limits(20, 3, 50, 4 * INTERVAL_NANOS);

    final SimulatedProcess process;
    final Database database;
    final long incarnation;
    final List<String> complaints = new ArrayList<>();

    /** Why the process must end. */
    final List<FulmarException> failures = new ArrayList<>();

    final List<PartitionId> rebuilds = new ArrayList<>();
    final CopyRebuilding rebuilding;
    private final SteppedFibers fibers = new SteppedFibers();
    private final ClusterState state;
    private final FailureDetector detector;
    private final HeartbeatExchange heartbeats;
    private final Network network;
    private static final long LOST_NANOS = 5_000_000_000L;

    private final ReplicatedBank cluster;
    private final Topology topology;
    private final List<Passed> underWay = new ArrayList<>();
    private boolean isJoined;

    ClusterNode(
            ReplicatedBank cluster, SimulatedProcess process, long incarnation, DurabilityMode mode, SqlFrontend sql) {
        this.cluster = cluster;
        this.topology = new Topology(cluster.configuration().partitions());
        this.process = process;
        this.incarnation = incarnation;
        this.state = cluster.store.connect(process);
        NodeMessages messages = new NodeMessages(process.network());
        this.network = messages.on(NodeChannel.REPLICATION);
        this.detector = new FailureDetector(DETECTION, CLUSTER, incarnation);
        this.heartbeats = new HeartbeatExchange(
                detector,
                DETECTION,
                process.clock(),
                messages.on(NodeChannel.HEARTBEAT),
                new ArrayDeque<>(),
                this::trustChanged);
        this.rebuilding = new CopyRebuilding(
                process.node(),
                incarnation,
                new BuildSettings(1_000, 2, 4 * INTERVAL_NANOS, 40 * INTERVAL_NANOS, 1 << 16),
                new BuildLinks(messages.on(NodeChannel.COPY)),
                cluster.probes);
        this.database = new Database(cluster.configuration(), environment(messages, mode, sql));
        database.start();
        rebuilding.bind(database.copies());
        messages.on(NodeChannel.HEARTBEAT).onMessage(heartbeats::received);
        messages.on(NodeChannel.COPY).onMessage(rebuilding::received);
        network.onMessage(database.copies()::received);
        Objects.requireNonNull(database.remote()).listenTo(messages.on(NodeChannel.TRANSACTION), node -> false);
        changeTogether(messages.on(NodeChannel.CATALOG));
        process.scheduler().schedule(FIBER_NANOS, this::stepFibers);
    }

    private DatabaseEnvironment environment(NodeMessages messages, DurabilityMode mode, SqlFrontend sql) {
        NodeServices services = new NodeServices(
                        process.node(),
                        process.clock(),
                        process.scheduler(),
                        process.random().split("database"),
                        fibers,
                        () -> -1)
                .replaying(BucketSender.replay(new BucketCutter()));
        return new DatabaseEnvironment(
                services,
                agent -> process.runner(agent, 1_000_000),
                sql,
                new ChunkSource(new MemoryBudget(1L << 30, "memory")),
                name -> name.equals(cluster.missingClasses.get(process.node()))
                        ? null
                        : SteppedDatabase.testClass(name),
                mode == DurabilityMode.NONE
                        ? null
                        : SteppedDatabase.durability(
                                process.storage(),
                                mode,
                                cluster.checkpointLogBytes,
                                agent -> process.runner(agent, 1_000_000),
                                new ArrayList<>(),
                                failures),
                CommandLog.none(),
                UnaryOperator.identity(),
                replication(),
                ClusterPorts.over(messages.on(NodeChannel.TRANSACTION), () -> topology, Probes.NONE));
    }

    private void changeTogether(Network channel) {
        DdlCoordinator changes = database.ddl();
        changes.connect(new DdlCoordinator.Links() {
            @Override
            public boolean send(NodeId to, ByteBuffer message) {
                return channel.send(to, message);
            }

            @Override
            public Set<NodeId> leaders() {
                return cluster.leaders(process.node());
            }

            @Override
            public boolean isFounded(PartitionId partition) {
                return cluster.record(partition).isPresent();
            }

            @Override
            public @Nullable NodeId changer() {
                PartitionRecord record = cluster.record(cluster.catalog()).record();
                return record == null ? null : record.primary().node();
            }

            @Override
            public Set<NodeId> witnesses() {
                PartitionRecord record = cluster.record(cluster.catalog()).record();
                Set<NodeId> witnesses = new TreeSet<>();
                if (record != null) {
                    record.inSync().forEach(copy -> witnesses.add(copy.node()));
                }
                witnesses.remove(process.node());
                return witnesses;
            }
        });
        channel.onMessage(changes::received);
        channel.onLink(new Network.LinkListener() {
            @Override
            public void linkUp(NodeId node) {}

            @Override
            public void linkLost(NodeId node) {
                changes.linkLost(node);
            }
        });
    }

    private ReplicationEnvironment replication() {
        return new ReplicationEnvironment(
                network::send,
                Store::new,
                new OtherNodes(),
                rebuild(),
                InDoubtResolver.undo(),
                (from, refused) -> {
                    throw new AssertionError(from + " sent " + refused);
                },
                complaints::add,
                LIMITS,
                cluster.memoryBytes,
                cluster.probes);
    }

    private CopyBuilder rebuild() {
        return (copy, term) -> {
            rebuilds.add(copy.partition());
            rebuilding.rebuild(copy, term);
        };
    }

    /** A request that another node has. */
    private record Passed(long clientId, long requestId, ClusterNode to) {}

    /** Changes of the catalog are passed on; for the rest a client has to find the node itself, unless all are. */
    private void elsewhere(PartitionId partition, TransactionRequest request, ResponseSink sink) {
        boolean isChange = partition.number() == cluster.configuration().partitions();
        ClusterNode primary = isChange || cluster.passesOn ? cluster.primary(partition) : this;
        boolean isReached =
                primary.process.isAlive() && cluster.world.network().isWhole(process.node(), primary.process.node());
        if (primary != this && isReached && !sink.isOfNode()) {
            cluster.reached.merge("passed on " + request.clientId() + "/" + request.requestId(), 1, Integer::sum);
            Passed passed = new Passed(request.clientId(), request.requestId(), primary);
            underWay.add(passed);
            AtomicBoolean answered = new AtomicBoolean();
            ResponseSink once = (asked, response) -> {
                if (answered.compareAndSet(false, true)) {
                    underWay.remove(passed);
                    sink.respond(request, response);
                    sink.flush();
                }
            };
            primary.process.execute(
                    200_000,
                    "forward",
                    () -> primary.database.submit(request, new ResponseSink() {
                        @Override
                        public void respond(TransactionRequest asked, TransactionResponse response) {
                            process.execute(200_000, "answer", () -> once.respond(asked, response));
                        }

                        @Override
                        public boolean isOfNode() { // it travels once
                            return true;
                        }
                    }));
            process.execute(LOST_NANOS, "link", () -> {
                if (!primary.process.isAlive()) {
                    once.respond(request, new Failed(ErrorCode.NODE_LOST, "the node that had the request is gone"));
                }
            });
            return;
        }
        sink.respond(request, new Failed(ErrorCode.WRONG_NODE, "another node serves partition " + partition));
        sink.flush();
    }

    /** Takes requests, and what ends them, to the other nodes. */
    private final class OtherNodes implements ReplicationEnvironment.Elsewhere {
        @Override
        public void pass(PartitionId partition, TransactionRequest request, ResponseSink sink) {
            elsewhere(partition, request, sink);
        }

        @Override
        public void cancel(long clientId, long requestId) {
            for (Passed passed : List.copyOf(underWay)) {
                if (passed.clientId == clientId && passed.requestId == requestId && passed.to.process.isAlive()) {
                    passed.to.process.execute(200_000, "cancel", () -> passed.to.database.cancel(clientId, requestId));
                }
            }
        }
    }

    private void stepFibers() {
        while (fibers.runnableCount() > 0) {
            fibers.step(0);
        }
        process.scheduler().schedule(FIBER_NANOS, this::stepFibers);
    }

    /** Begins to take part with all partitions of which this node has a copy. */
    void join(Function<PartitionReplica, CopyId> lives) {
        isJoined = true;
        for (PartitionReplica copy : database.copies().streams()) {
            Set<NodeId> nodes = cluster.nodesOf(copy.partition());
            if (nodes.contains(process.node())) {
                copy.join(
                        new Leadership.Self(
                                lives.apply(copy),
                                incarnation,
                                1,
                                3 * INTERVAL_NANOS,
                                INTERVAL_NANOS,
                                100 * INTERVAL_NANOS),
                        nodes);
            }
        }
        state.watch(this);
        process.scheduler().schedule(PERIOD_NANOS, this::period);
    }

    /** Whether its copy of the partition is this one, and no other is being built. */
    boolean has(PartitionId partition, CopyId copy) {
        return copy.equals(database.copies().of(partition).copy());
    }

    private void period() {
        cluster.incarnations().forEach((node, youngest) -> {
            if (!node.equals(process.node())) {
                detector.watch(node, youngest);
            }
        });
        heartbeats.doWork();
        boolean isTurnDue = false;
        for (PartitionReplica copy : database.copies().streams()) {
            isTurnDue |= copy.timePassed();
        }
        if (isTurnDue) {
            database.copies().wakeAll();
        }
        rebuilding.timePassed();
        process.scheduler().schedule(PERIOD_NANOS, this::period);
    }

    private void trustChanged(FailureDetector.Change change) {
        tell(
                change.suspected()
                        ? new LeadershipEvent.Suspected(change.node())
                        : new LeadershipEvent.Trusted(change.node(), change.incarnation()));
        if (change.leaves()) {
            tell(new LeadershipEvent.Leaving(change.node(), change.incarnation()));
        }
    }

    /** The process is about to end in order. */
    void leave() {
        heartbeats.leave();
        tell(new LeadershipEvent.Leaving(process.node(), incarnation));
    }

    private void tell(LeadershipEvent event) {
        if (isJoined) {
            database.copies().streams().forEach(copy -> copy.tell(event));
        }
    }

    void create(PartitionId partition, PartitionRecord record) {
        state.compareAndSet(new StateKey.Partition(partition), Versioned.absent(), record, outcome -> {
            readAgain(partition);
            switch (outcome) {
                case ChangeOutcome.Applied<?> _, ChangeOutcome.Conflict<?> _ -> {}
                case ChangeOutcome.Unknown<?> _, ChangeOutcome.SessionLost<?> _, ChangeOutcome.Refused<?> _ ->
                    process.scheduler().schedule(4 * INTERVAL_NANOS, () -> create(partition, record));
            }
        });
    }

    private void readAgain(PartitionId partition) {
        state.read(new StateKey.Partition(partition), outcome -> {
            switch (outcome) {
                case ReadOutcome.Found<Versioned<PartitionRecord>>(var found) -> {
                    if (found.isPresent()) {
                        if (partition.number() < topology.partitions()) {
                            topology.found(partition, found.get());
                        }
                        database.copies().of(partition).tell(new LeadershipEvent.RecordFound(found));
                    }
                }
                case ReadOutcome.Unanswered<?> _, ReadOutcome.SessionLost<?> _ ->
                    process.scheduler().schedule(4 * INTERVAL_NANOS, () -> readAgain(partition));
                case ReadOutcome.Refused<?>(String message) -> throw new AssertionError(message);
            }
        });
    }

    @Override
    public void changed(StateKey<?> key) {
        if (key instanceof StateKey.Partition(PartitionId partition)) {
            readAgain(partition);
        }
    }

    @Override
    public void presencesChanged() {}

    @Override
    public void sessionChanged(SessionState session) {
        if (session == SessionState.CONNECTED) {
            database.copies().streams().forEach(copy -> readAgain(copy.partition()));
        }
    }

    /** Messages of copies that are built. */
    private record BuildLinks(Network network) implements BuildOutbox {
        @Override
        public void send(NodeId to, ByteBuffer... parts) {
            network.send(to, parts);
        }

        @Override
        public void endLink(NodeId node, String reason) {
            throw new AssertionError(node + " sent what is wrong: " + reason);
        }
    }

    /** A partition's record, for its copy here. */
    private final class Store implements RecordStore {
        private final PartitionId partition;

        Store(PartitionId partition) {
            this.partition = partition;
        }

        @Override
        public void change(
                Versioned<PartitionRecord> expected,
                PartitionRecord next,
                Consumer<ChangeOutcome<Versioned<PartitionRecord>>> ended) {
            cluster.proposed(process.node(), partition, expected.version());
            state.compareAndSet(new StateKey.Partition(partition), expected, next, ended);
        }

        @Override
        public void readAgain() {
            ClusterNode.this.readAgain(partition);
        }
    }
}
