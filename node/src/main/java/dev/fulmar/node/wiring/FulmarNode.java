package dev.fulmar.node.wiring;

import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.DatabaseEnvironment;
import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.coordinator.durability.environment.DurabilityEnvironment;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.planning.real.LowPriorityPlanners;
import dev.fulmar.coordinator.portal.PortalFigures;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.session.SessionFigures;
import dev.fulmar.coordinator.transaction.NodeServices;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partition.CommandLog;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.ExitStatus;
import dev.fulmar.foundation.failstop.ProcessEnd;
import dev.fulmar.foundation.failstop.real.WatchedTimers;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.random.real.SystemSeed;
import dev.fulmar.foundation.schedule.real.ThreadScheduler;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.node.admin.SystemProcedureTable;
import dev.fulmar.node.backup.ClassPathSource;
import dev.fulmar.node.backup.ParallelTasks;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.data.DataDirectory;
import dev.fulmar.node.jmx.FigureBoard;
import dev.fulmar.node.lifecycle.Lifecycle;
import dev.fulmar.node.lifecycle.LogLimits;
import dev.fulmar.node.metrics.MetricsServer;
import dev.fulmar.node.server.CancelKeys;
import dev.fulmar.node.server.NodeServer;
import dev.fulmar.pmemlog.checkpoint.CheckpointSettings;
import dev.fulmar.pmemlog.log.LogSettings;
import dev.fulmar.reconfig.move.Reconfiguration;
import dev.fulmar.reconfig.move.ReconfigurationEnvironment;
import dev.fulmar.sql.SqlCompiler;
import dev.fulmar.wire.address.HostAddress;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running node: its parts, made and connected. Thread-safe. */
public final class FulmarNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FulmarNode.class);
    private static final Duration LAST_TASKS = Duration.ofSeconds(5);
    private static final Duration FAILED_GRACE = Duration.ofSeconds(1);
    private static final long SAMPLE_MILLIS = 1_000;

    private final NodeConfiguration configuration;
    private final @Nullable ClusterStore store;
    private final @Nullable ClusterPart part;
    private final Lifecycle lifecycle = new Lifecycle();
    private volatile boolean isToRestart;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final @Nullable DataDirectory data;
    private final NodeFailure failure;
    private final MemoryBudget memory;
    private final ThreadScheduler scheduler;
    private final LowPriorityPlanners planners;
    private final ScheduledThreadPoolExecutor administration;
    private final Reconfiguration reconfiguration;
    private final Database database;
    private final DatabaseFigureSource figures;
    private final MBeanServer figureBeans;
    private final FigureBoard board;
    private final AgentThreads threads;
    private final NodeHealth health;
    private volatile @Nullable MetricsServer metrics;
    private final ShortageWatch shortages = new ShortageWatch(LOG::warn);
    private final NodeSecurity security;
    private final ClientState clients;
    private final NodeServer server;

    private FulmarNode(NodeConfiguration given, UnaryOperator<SqlFrontend> around, ProcessEnd processEnd) {
        failure = new NodeFailure(processEnd, this::stopInTheBackground);
        store = given.cluster().isMember()
                ? ClusterStore.open(given.cluster(), given.storage().data())
                : null;
        configuration = store == null ? given : withPartitions(given, store);
        data = configuration.storage().durability() == DurabilityMode.NONE
                ? null
                : DatabaseParts.openData(configuration);
        memory = DatabaseParts.memory(configuration);
        scheduler = new ThreadScheduler("fulmar-timers");
        administration = administration();
        Clock clock = OffsetClock.of(configuration.clockOffsetFile(), administration);
        threads = new AgentThreads(configuration, clock);
        security = new NodeSecurity(
                configuration.security(), configuration.cluster().tls(), configuration.handshakes(), administration);
        CancelKeys cancelKeys = new CancelKeys(new NodeId(configuration.node()));
        part = part(clock, cancelKeys);
        SeededRandom random = new SeededRandom(SystemSeed.draw());
        SqlCompiler sql = new SqlCompiler();
        planners = new LowPriorityPlanners(configuration.planner().threads(), this::handledBySites);
        NodeServices services = DatabaseParts.services(configuration, clock, scheduler, random, planners);
        database = new Database(DatabaseParts.configuration(configuration), environment(services, around.apply(sql)));
        reconfiguration = reconfiguration(clock, random.split("reconfiguration"));
        MBeanServer beans = beans(configuration);
        figureBeans = beans;
        board = new FigureBoard(beans, configuration.node(), administration);
        health = new NodeHealth(database, part, clock, threads);
        clients = ClientState.of(database, sql, configuration, clock, scheduler, random);
        figures = new DatabaseFigureSource(database, clients, memory, health.readiness());
        server = new NodeServer(
                configuration.server(),
                configuration.node(),
                random.split("incarnation").nextLong() | 1,
                clients.statements(),
                new SystemProcedureTable(
                        database,
                        clients.statements(),
                        clients.portals(),
                        operations(),
                        beans,
                        configuration.node(),
                        administration,
                        security.audit()),
                board,
                security.server(database),
                services.underWay());
        connect(services.underWay(), cancelKeys);
        order(sql);
    }

    private @Nullable ClusterPart part(Clock clock, CancelKeys keys) {
        return store == null
                ? null
                : new ClusterPart(
                        configuration,
                        store,
                        clock,
                        scheduler,
                        lives(),
                        security.links(),
                        threads,
                        keys,
                        this::clusterRefused);
    }

    private static MBeanServer beans(NodeConfiguration configuration) {
        return configuration.figures()
                ? ManagementFactory.getPlatformMBeanServer()
                : MBeanServerFactory.newMBeanServer();
    }

    private void connect(ByteBudget underWay, CancelKeys keys) {
        PostgresPart.connect(configuration, server, clients, database, underWay, keys, part);
        failure.tells(part == null ? () -> {} : part.forwarding()::breakOff, server::breakOff);
        server.catalog(() -> TransactionRequest.toldVersion(database.catalog().version()));
    }

    private Reconfiguration reconfiguration(Clock clock, RandomSource random) {
        return new Reconfiguration(new ReconfigurationEnvironment(
                database.reconfiguration(),
                database::guardData,
                database.plans(),
                database::leads,
                () -> database.figures().latency(),
                part == null ? null : part.reconfiguration(random.split("requests")),
                scheduler,
                clock,
                random,
                LOG::info));
    }

    private NodeOperations operations() {
        return new NodeOperations(
                database, configuration, reconfiguration, part, this::stopInTheBackground, this::stopToRestart);
    }

    /** Says in which order the parts start; they stop in the reverse one. */
    private void order(SqlCompiler sql) {
        lifecycle
                .add("data directory", () -> {}, this::closeData)
                .add("audit log", () -> {}, security::close)
                .add("timers", () -> {}, scheduler::close)
                .add("planners", () -> {}, planners::close)
                .add("metrics", this::openMetrics, this::closeMetrics)
                .add("event loops", () -> {}, server::endThreads)
                .add("cluster", () -> {}, this::leaveCluster)
                .add("recovery figures", this::openRecovery, board::close)
                .add("database", this::startDatabase, this::stopDatabase)
                .add("schema", this::beginSchema, () -> {})
                .add("reconfiguration", reconfiguration::begin, reconfiguration::stop)
                .add("SQL", sql::beginWarmUp, () -> {})
                .add("administration", () -> {}, this::stopAdministration)
                .add("figures", this::openFigures, this::closeFigures)
                .add("users", this::openUsers, () -> {})
                .add("server", server::start, () -> server.stop(requestGrace()))
                .add("membership", this::joinCluster, () -> ClusterPart.handOver(part, failure.get() == null))
                .add("health", () -> health.begin(server, scheduler), health::end);
    }

    private static ScheduledThreadPoolExecutor administration() {
        ScheduledThreadPoolExecutor timers = new WatchedTimers(
                Thread.ofPlatform().daemon().name("fulmar-admin").factory());
        timers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return timers;
    }

    private DatabaseEnvironment environment(NodeServices services, SqlFrontend sql) {
        return new DatabaseEnvironment(
                services,
                threads.sites(() -> server.threads(), this::siteFailed),
                sql,
                new ChunkSource(memory),
                new ClassPathSource(),
                durability(),
                CommandLog.none(),
                UnaryOperator.identity(),
                part == null ? null : part.environment(),
                part == null ? null : part.transactions());
    }

    private long handledBySites() {
        return database.figures().handled();
    }

    /** Storage in which copies keep all that they confirmed, if they do. */
    private @Nullable Storage lives() {
        return data == null || configuration.storage().durability() != DurabilityMode.SYNC ? null : data.storage();
    }

    private static NodeConfiguration withPartitions(NodeConfiguration given, ClusterStore store) {
        try {
            ClusterRecord cluster = store.cluster();
            return given.withPartitions(cluster.partitions() - cluster.spares(), cluster.spares());
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private void beginSchema() {
        if (part == null
                && !configuration.schema().isEmpty()
                && database.catalog().tables().isEmpty()) {
            new InitialSchema(database, configuration.schema()).apply();
        }
    }

    /** Those of a cluster are known when the node takes part in it. */
    private void openUsers() {
        if (part == null) {
            security.open(database);
        } else {
            database.copies().awaitCatalog();
        }
    }

    private void joinCluster() {
        ClusterPart joining = part;
        if (joining != null) {
            server.describe(joining::describe);
            ClientRouting routing = new ClientRouting(database, server);
            server.keys(routing);
            joining.start(database, configuration.cluster().clientAddress(address()), routing);
            new ClusterBeginnings(database, security, configuration.schema(), closing::get).await();
        }
    }

    private void leaveCluster() {
        if (part != null) {
            part.close();
        }
    }

    private void closeData() {
        if (data != null) {
            data.close();
        }
    }

    /** This node's part in its cluster; null for a database of its own. */
    @Nullable ClusterPart cluster() {
        return part;
    }

    private @Nullable DurabilityEnvironment durability() {
        DataDirectory directory = data;
        if (directory == null) {
            return null;
        }
        LogSettings log = DurabilityEnvironment.defaultSettings(DataDirectory.LOG)
                .withBlockBytes(directory.backend().blockBytes());
        return new DurabilityEnvironment(
                configuration.storage().durability(),
                directory.storage(),
                log,
                CheckpointSettings.defaults(DurabilityEnvironment.checkpointDirectory(log)),
                configuration
                        .storage()
                        .checkpoints()
                        .onThreads(Math.min(
                                DatabaseParts.recoveryThreads(configuration),
                                configuration.partitions().total())),
                threads.log(this::logBroke),
                ParallelTasks::run,
                LOG::info,
                this::logFailed);
    }

    private void logBroke(Agent agent, Throwable thrown) {
        failure.end(
                "an agent of the log broke",
                new FulmarException(ErrorCode.INTERNAL, agent.roleName() + " broke", thrown));
    }

    /** Ends the node, for its log, or a copy that is built on it, is not durable any more. */
    private void logFailed(FulmarException cause) {
        failure.end("what is written does not become durable any more", cause);
    }

    /** The cluster refuses this process, or its part in the cluster broke: nothing is wrong with what it wrote. */
    private void clusterRefused(FulmarException cause) {
        failure.end("the node has no part in its cluster any more", cause);
    }

    /** Exit status for the supervisor of the node's process. */
    public ExitStatus exitStatus() {
        return failure.exitStatus(isToRestart);
    }

    /** The failure for which the node ended by itself, INVALID_CONFIGURATION if its cluster refused it; else null. */
    public @Nullable FulmarException failure() {
        return failure.get();
    }

    /** Makes and starts a node; returns when it takes clients. */
    public static FulmarNode start(NodeConfiguration configuration) {
        return start(configuration, UnaryOperator.identity());
    }

    /** @param around what to put around the node's SQL compiler */
    public static FulmarNode start(NodeConfiguration configuration, UnaryOperator<SqlFrontend> around) {
        return start(configuration, around, ProcessEnd.NONE);
    }

    /** @param processEnd how the process ends when the node breaks, for a node that has a process to itself */
    public static FulmarNode start(NodeConfiguration configuration, ProcessEnd processEnd) {
        return start(configuration, UnaryOperator.identity(), processEnd);
    }

    private static FulmarNode start(
            NodeConfiguration configuration, UnaryOperator<SqlFrontend> around, ProcessEnd processEnd) {
        FulmarNode node = new FulmarNode(configuration, around, processEnd);
        try {
            node.lifecycle.start();
        } catch (RuntimeException | Error e) {
            node.closing.set(true);
            node.closed.countDown();
            throw e;
        }
        LOG.info(
                "node {} runs {} partitions on {} sites at {}",
                configuration.node(),
                node.configuration().partitions().count(),
                configuration.partitions().sites(),
                node.address());
        return node;
    }

    public NodeConfiguration configuration() {
        return configuration;
    }

    /** Address for clients. */
    public HostAddress address() {
        return server.address();
    }

    /** Address for clients of PostgreSQL's protocol; empty if they are not served. */
    public Optional<HostAddress> postgresAddress() {
        return server.postgresAddress();
    }

    /** Address for administrators, if they have one of their own. */
    public HostAddress administrationAddress() {
        return server.administrationAddress();
    }

    public int port() {
        return server.address().port();
    }

    /** The answers to supervisors. */
    NodeHealth health() {
        return health;
    }

    /** Port of figures and health, if the configuration says so. */
    public OptionalInt metricsPort() {
        MetricsServer served = metrics;
        return served == null ? OptionalInt.empty() : OptionalInt.of(served.port());
    }

    /** Figures of the transactions that clients have open. */
    public SessionFigures sessions() {
        return clients.sessions();
    }

    /** Figures of the portals that clients have open. */
    public PortalFigures portals() {
        return clients.portals();
    }

    /** The database, for callers in this process. */
    public Database database() {
        return database;
    }

    /** Stops gracefully: finishes accepted requests within {@link NodeConfiguration#stopGrace()}. Waits for the end. */
    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            try {
                lifecycle.stop();
            } finally {
                closed.countDown();
            }
            LOG.info("node {} has stopped", configuration.node());
        } else {
            awaitClosed();
        }
    }

    /** Waits until the node has stopped, for any reason, or the thread is interrupted. */
    public void awaitClosed() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void stopInTheBackground() {
        Thread.ofPlatform().name("fulmar-stop").start(this::close);
    }

    private void stopToRestart() {
        isToRestart = true;
        stopInTheBackground();
    }

    /** Ends the node, for a partition without its thread answers no request. */
    private void siteFailed(Agent site, Throwable thrown) {
        failure.end("a site broke", new FulmarException(ErrorCode.INTERNAL, site.roleName() + " broke", thrown));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // sampling ends with its executor and catches what it throws
    private void openFigures() {
        onAdministration(() -> {
            board.open(server, figures);
            if (part != null) {
                board.openCluster(new ClusterFigures(part, database));
            } else {
                board.openReconfiguration(reconfiguration);
            }
            Durability durability = database.durability();
            DataDirectory directory = data;
            if (durability != null && directory != null) {
                LOG.info(
                        "backend {}: {}, survives {}",
                        directory.backend().name(),
                        directory.backend().explanation(),
                        directory.backend().durability().description());
                board.openLog(durability, directory.backend());
                shortages
                        .add("the log", durability::shortage)
                        .add("checkpoints", () -> DatabaseParts.checkpointShortage(durability))
                        .add("the archive", durability::archiveFailure);
            }
        });
        administration.scheduleWithFixedDelay(this::sample, 0, SAMPLE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void startDatabase() {
        Durability durability = database.durability();
        DataDirectory directory = data;
        if (durability != null
                && directory != null
                && !configuration.storage().logArchive().isEmpty()) {
            durability.archiveTo(
                    directory.archive(Path.of(configuration.storage().logArchive())),
                    configuration.storage().logArchiveBytes());
        }
        // Nothing else runs yet, so all cores recover.
        database.start(DatabaseParts.recoveryThreads(configuration));
    }

    private void openRecovery() {
        Durability durability = database.durability();
        if (durability != null) {
            onAdministration(() -> board.openRecovery(durability));
        }
    }

    private void sample() {
        try {
            LogLimits.tell();
            shortages.look();
            security.look(database, server);
            figures.askForTables();
            board.sample(System.nanoTime(), figures);
        } catch (RuntimeException e) {
            LOG.error("the figures could not be read; they are tried again", e);
        }
    }

    private void openMetrics() {
        configuration
                .metrics()
                .ifPresent(wanted -> metrics = new MetricsServer(
                        wanted,
                        figureBeans,
                        configuration.node(),
                        health.liveness(),
                        health.readiness(),
                        security.tls()));
    }

    private void closeMetrics() {
        MetricsServer served = metrics;
        if (served != null) {
            served.close();
        }
    }

    private void closeFigures() {
        onAdministration(board::close);
    }

    private void stopAdministration() {
        administration.shutdown();
        try {
            if (!administration.awaitTermination(LAST_TASKS.toSeconds(), TimeUnit.SECONDS)) {
                LOG.warn("administration did not end within {} s", LAST_TASKS.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Time that accepted requests may take. With a failed log none is answered, and the node must start again soon. */
    private Duration requestGrace() {
        boolean isWhole = failure.get() == null || configuration.stopGrace().compareTo(FAILED_GRACE) < 0;
        return isWhole ? configuration.stopGrace() : FAILED_GRACE;
    }

    private void stopDatabase() {
        long grace = failure.get() == null ? configuration.stopGrace().toNanos() : 0;
        try {
            // Its own time-out comes first; the one here is for a database that does not keep to it.
            database.stop(grace).get(grace + LAST_TASKS.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the database did not stop in order", e);
        }
    }

    private void onAdministration(Runnable task) {
        try {
            administration.submit(task).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof FulmarException error) {
                throw error;
            }
            throw new IllegalStateException("administration failed", e);
        }
    }
}
