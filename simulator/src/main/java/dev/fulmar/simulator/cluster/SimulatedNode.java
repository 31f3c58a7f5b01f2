package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.DatabaseEnvironment;
import dev.fulmar.coordinator.cluster.MemberLinks;
import dev.fulmar.coordinator.cluster.SessionCancels;
import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.coordinator.durability.environment.DurabilityEnvironment;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.participation.ClusterParticipation;
import dev.fulmar.coordinator.participation.ClusterSurroundings;
import dev.fulmar.coordinator.participation.ParticipationListener;
import dev.fulmar.coordinator.portal.PortalLimits;
import dev.fulmar.coordinator.portal.Portals;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.session.SessionFigures;
import dev.fulmar.coordinator.session.SessionLimits;
import dev.fulmar.coordinator.session.Sessions;
import dev.fulmar.coordinator.transaction.NodeServices;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partition.CommandLog;
import dev.fulmar.engine.procedure.loading.SharedCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.pmemlog.checkpoint.CheckpointPolicy;
import dev.fulmar.pmemlog.checkpoint.CheckpointSettings;
import dev.fulmar.pmemlog.log.LogSettings;
import dev.fulmar.postgres.activity.SessionList;
import dev.fulmar.postgres.session.SessionServices;
import dev.fulmar.reconfig.move.Reconfiguration;
import dev.fulmar.reconfig.move.ReconfigurationEnvironment;
import dev.fulmar.reconfig.peer.Peers;
import dev.fulmar.reconfig.step.MoveStepReplay;
import dev.fulmar.simulator.fiber.ContinuationFibers;
import dev.fulmar.wire.session.SettingCommand;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One life of a node, wired as a real one. It ends with its process. */
final class SimulatedNode {
    private static final long MEMORY_BYTES = 1L << 30;
    private static final long SITE_IDLE_NANOS = 20_000_000;
    private static final long LOG_IDLE_NANOS = 10_000_000;
    private static final long MEMBER_IDLE_NANOS = 10_000_000;
    private static final long SOON_NANOS = 1_000;

    /**
     * Far more than checkpoints leave: a log that is not given up fails the run, and not the machine that it runs on.
     */
    private static final int MOST_SEGMENTS = 512;

    private static final LogSettings LOG =
            new LogSettings("log", 256 << 10, 512, 32 << 10, 64 << 10, 64 << 10, MOST_SEGMENTS, 1, 50_000_000);

    /** Its records have room for a catalog with many hand-offs. */
    private static final LogSettings LOG_WITH_MOVES =
            new LogSettings("log", 1 << 20, 512, 32 << 10, 512 << 10, 512 << 10, MOST_SEGMENTS, 1, 50_000_000);

    private static final CheckpointSettings CHECKPOINTS =
            new CheckpointSettings("log-checkpoints", 512, 4 << 10, 16 << 10, 64 << 10, 16 << 10);
    private static final long USUAL_LOG_BYTES = 400 << 10;
    private static final long SMALL_LOG_BYTES = 20 << 10;
    private static final long LEAST_LOG_BYTES = 4 << 10;
    private static final long REPLAY_BYTES_PER_SECOND = 1 << 30;
    private static final long SESSION_BYTES = 1 << 20;
    private static final long POSTGRES_BYTES = 4 << 20;
    private static final int MOST_SESSIONS = 100;

    private final SimulatedCluster cluster;
    private final SimulatedProcess process;
    private final MemoryBudget memory = new MemoryBudget(MEMORY_BYTES, "memory.limit");
    private @Nullable Database database;
    private @Nullable ClusterParticipation participation;
    private @Nullable Reconfiguration reconfiguration;
    private @Nullable Sessions sessions;
    private @Nullable SessionServices postgres;
    private ByteBudget postgresMemory = ByteBudget.unlimited();
    private int life;
    private boolean takesClients;
    private boolean hasBegun;
    private boolean hadBadDisk;

    SimulatedNode(SimulatedCluster cluster, SimulatedProcess process) {
        this.cluster = cluster;
        this.process = process;
    }

    /** Recovers what is there and begins to take the node's place. Fails as a process fails to start. */
    void start() {
        ClusterScenario scenario = cluster.scenario();
        boolean keeps = scenario.mode() == DurabilityMode.SYNC;
        ClusterParticipation part = new ClusterParticipation(
                new ClusterSurroundings(
                        process.network(),
                        MemberLinks.NONE,
                        process.node().toString(),
                        cluster.store().connect(process),
                        process.clock(),
                        process.scheduler(),
                        keeps ? process.storage() : null,
                        agent -> process.runner(agent, MEMBER_IDLE_NANOS),
                        process.random().split("participation"),
                        SessionCancels.NONE,
                        path -> cluster.reached(process.node(), path)),
                scenario.participation(),
                new Listener());
        participation = part;
        Database opened = new Database(
                scenario.configuration(),
                new DatabaseEnvironment(
                        services(),
                        agent -> process.runner(agent, SITE_IDLE_NANOS),
                        cluster.sql(),
                        new ChunkSource(memory),
                        internalName -> null,
                        durability(scenario.mode()),
                        CommandLog.none(),
                        UnaryOperator.identity(),
                        part.environment(),
                        part.transactions(),
                        scenario.wanders() ? SharedCode.none() : cluster.sql().code()));
        database = opened;
        life++;
        serveClients(opened);
        reconfiguration = new Reconfiguration(new ReconfigurationEnvironment(
                opened.reconfiguration(),
                opened::guardData,
                opened.plans(),
                opened::leads,
                () -> opened.figures().latency(),
                new Peers.Links(
                        part.reconfiguration(),
                        part.primaries(),
                        process.random().split("requests of moves").nextLong()),
                process.scheduler(),
                process.clock(),
                process.random().split("reconfiguration"),
                line -> cluster.note(process + ": " + line)));
        opened.start();
        new ClusterSchema(
                        opened,
                        scenario.wanders(),
                        scenario.movesKeys(),
                        problem -> cluster.violation(process + " cannot make its schema: " + problem),
                        () -> process.execute(SOON_NANOS, "joins", this::join))
                .apply();
    }

    private void join() {
        if (participation != null && database != null) {
            takesClients = true;
            participation.start(database, process.node().toString());
            if (cluster.scenario().movesKeys()) {
                reconfiguration().begin();
            }
        }
    }

    private NodeServices services() {
        return new NodeServices(
                        process.node(),
                        process.clock(),
                        process.scheduler(),
                        process.random().split("database"),
                        new ContinuationFibers(process),
                        () -> -1) // what a thread allocates does not repeat under a seed
                .replaying(new MoveStepReplay());
    }

    private @Nullable DurabilityEnvironment durability(DurabilityMode mode) {
        return mode == DurabilityMode.NONE
                ? null
                : new DurabilityEnvironment(
                        mode,
                        process.storage(),
                        cluster.scenario().movesKeys() ? LOG_WITH_MOVES : LOG,
                        CHECKPOINTS,
                        new CheckpointPolicy(
                                cluster.scenario().small() ? smallLogBytes() : USUAL_LOG_BYTES,
                                1 << 20,
                                1L << 40,
                                REPLAY_BYTES_PER_SECOND),
                        agent -> process.runner(agent, LOG_IDLE_NANOS),
                        DurabilityEnvironment::oneByOne,
                        line -> {},
                        failure -> process.execute(
                                SOON_NANOS, "log failed", () -> cluster.stopped(this, "log", failure.toString())));
    }

    private long smallLogBytes() {
        return cluster.scenario().isSteered() ? LEAST_LOG_BYTES : SMALL_LOG_BYTES;
    }

    SimulatedProcess process() {
        return process;
    }

    NodeId node() {
        return process.node();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Notes that the node's disk is bad now. Failures that come of it may be missed as long as the process lives. */
    void diskIsBad() {
        hadBadDisk = true;
    }

    /** Whether something was wrong with its disk in the life of the process. */
    boolean hadBadDisk() {
        return hadBadDisk;
    }

    /** Whether clients can connect. */
    boolean takesClients() {
        return process.isAlive() && takesClients;
    }

    /** Whether its copies take part. */
    boolean hasBegun() {
        return process.isAlive() && hasBegun;
    }

    /** Once it has started. */
    Database database() {
        Database opened = database;
        if (opened == null) {
            throw new IllegalStateException(process + " has no database");
        }
        return opened;
    }

    /** Once it has started. */
    Reconfiguration reconfiguration() {
        Reconfiguration made = reconfiguration;
        if (made == null) {
            throw new IllegalStateException(process + " has no part in reconfigurations");
        }
        return made;
    }

    ClusterParticipation participation() {
        ClusterParticipation part = participation;
        if (part == null) {
            throw new IllegalStateException(process + " has no part in the cluster");
        }
        return part;
    }

    private Sessions sessions(Database opened) {
        return new Sessions(
                opened,
                opened.portals(),
                process.clock(),
                process.scheduler(),
                process.random(),
                SessionLimits.DEFAULT,
                new ByteBudget(SESSION_BYTES),
                MOST_SESSIONS);
    }

    private void serveClients(Database opened) {
        Sessions made = sessions(opened);
        sessions = made;
        postgres = postgres(opened, made);
    }

    /** Wired as in a node, but that settings of connections go straight to their sessions. */
    private SessionServices postgres(Database opened, Sessions made) {
        Portals portals = new Portals(
                made, opened.portals(), process.scheduler(), PortalLimits.DEFAULT, new ByteBudget(SESSION_BYTES));
        postgresMemory = new ByteBudget(POSTGRES_BYTES);
        return new SessionServices(
                portals,
                made,
                portals,
                opened.descriptions(),
                postgresMemory,
                SessionLimits.DEFAULT,
                SettingCommand.RowPlace.PARTITIONED,
                opened.belongings().temporarySchemas(),
                opened.belongings().advisoryLocks(),
                opened.belongings().clientIds(),
                process.scheduler(),
                new SessionList(process.clock(), caller -> true));
    }

    /** Once it has started. */
    SessionServices postgres() {
        SessionServices services = postgres;
        if (services == null) {
            throw new IllegalStateException(process + " has no sessions");
        }
        return services;
    }

    /** Bytes that are held for clients of PostgreSQL's protocol. */
    long postgresBytes() {
        return postgresMemory.underWayBytes();
    }

    /** How often it has started. */
    int life() {
        return life;
    }

    /** Once it has started. */
    SessionFigures sessions() {
        return openSessions();
    }

    private Sessions openSessions() {
        Sessions made = sessions;
        if (made == null) {
            throw new IllegalStateException(process + " has no sessions");
        }
        return made;
    }

    /** Takes a statement of the client's transaction with the number when the process next runs. */
    void execute(long transaction, TransactionRequest.AdHoc request, ResponseSink client) {
        process.execute(0, "statement", () -> openSessions().execute(transaction, request, client));
    }

    /** The client's connection has ended. */
    void departed(ResponseSink client) {
        process.execute(0, "departure", () -> openSessions().departed(client));
    }

    /** Takes a client's request when the process next runs. */
    void submit(TransactionRequest request, ResponseSink sink) {
        process.execute(0, "request", () -> database().submit(request, sink));
    }

    /** Asks for a checkpoint when the process next runs; nothing where there are no logs, or not yet. */
    void checkpoint() {
        process.execute(0, "checkpoint", () -> {
            Database opened = database;
            Durability durability = opened == null ? null : opened.durability();
            if (durability != null) {
                durability.requestCheckpoint();
            }
        });
    }

    /** Gives the memory back of a process that has ended. */
    void abandon() {
        ClusterParticipation part = participation;
        if (part != null) {
            cluster.probes()
                    .reached(ClusterPath.FORWARDED.name(), part.forwarding().forwarded());
        }
        Database opened = database;
        if (opened != null) {
            opened.abandon();
        }
        if (memory.usedBytes() != 0) {
            cluster.violation(process + " leaves " + memory.usedBytes() + " bytes of memory behind");
        }
    }

    private final class Listener implements ParticipationListener {
        @Override
        public void enrolled(ClusterRecord record, long incarnation) {
            process.execute(SOON_NANOS, "begins", this::begin);
        }

        private void begin() {
            try {
                participation().begin();
                hasBegun = true;
            } catch (FulmarException refusal) { // the process does not come up, as a real one would not
                cluster.stopped(SimulatedNode.this, "begin", String.valueOf(refusal.getMessage()));
            }
        }

        @Override
        public void refused(FulmarException reason) {
            cluster.violation(process + " is refused: " + reason.getMessage());
        }

        @Override
        public void rebuilds(PartitionId partition, NodeId primary) {
            cluster.probes().reached(ClusterPath.COPY_REBUILT.name());
        }

        @Override
        public void complaint(String message) {
            cluster.complaint(process + ": " + message);
        }
    }
}
