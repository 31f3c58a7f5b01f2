package dev.fulmar.coordinator;

import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.change.CatalogJournal;
import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.change.ChangeQueue;
import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.coordinator.durability.Replication;
import dev.fulmar.coordinator.durability.backup.Restoration;
import dev.fulmar.coordinator.durability.ddl.DdlCoordinator;
import dev.fulmar.coordinator.durability.environment.DurabilityEnvironment;
import dev.fulmar.coordinator.durability.log.CommitReplication;
import dev.fulmar.coordinator.durability.log.DurableLog;
import dev.fulmar.coordinator.durability.recovery.InDoubtResolver;
import dev.fulmar.coordinator.durability.replica.PartitionControl;
import dev.fulmar.coordinator.durability.replica.PartitionReplicas;
import dev.fulmar.coordinator.durability.replica.ReplicationEnvironment;
import dev.fulmar.coordinator.health.ProbeRound;
import dev.fulmar.coordinator.planning.PlanningQueue;
import dev.fulmar.coordinator.portal.PortalSource;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationLog;
import dev.fulmar.coordinator.remote.ClusterPorts;
import dev.fulmar.coordinator.remote.RemoteTransactions;
import dev.fulmar.coordinator.request.FutureResponse;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.PartitionPlans;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.coordinator.session.SessionBelongings;
import dev.fulmar.coordinator.statement.StatementDescriber;
import dev.fulmar.coordinator.statement.Statements;
import dev.fulmar.coordinator.statistics.StatisticsCollector;
import dev.fulmar.coordinator.transaction.DistributedCalls;
import dev.fulmar.coordinator.transaction.NodeServices;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.coordinator.transaction.PartitionTransport;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.partition.CommandLog;
import dev.fulmar.engine.partition.CommitGate;
import dev.fulmar.engine.partition.LeadershipGuard;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.engine.partition.Site;
import dev.fulmar.engine.partition.TurnListener;
import dev.fulmar.engine.procedure.loading.ProcedureJar;
import dev.fulmar.engine.procedure.loading.ProcedureLoader;
import dev.fulmar.engine.spi.DataAccess;
import dev.fulmar.engine.spi.SitePlacement;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.memory.ByteBudget;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A database on one node: partitions on sites, the router before them, the transactions between them. Thread-safe. Its
 * life is {@link #start()}, requests through {@link #submit}, {@link #stop}.
 */
public final class Database implements TransactionRouter {
    private final DatabaseConfiguration configuration;
    private final DatabaseEnvironment environment;
    private final AtomicReference<Program> current;
    private final InternalStatements internal = new InternalStatements(this);
    private final PartitionRuntimes runtimes;
    private final PartitionHomes homes;
    private final PartitionSites sites;
    private final AtomicBoolean stopRequested = new AtomicBoolean();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private final DistributedCalls distributed;
    private final ChangeQueue changes;
    private final DatabaseRouter router;
    private final DivergedProcedures diverged;
    private final DatabaseFigures figures;
    private final ProcedureLoader loader;
    private final UnfinishedTables pending;
    private final SessionBelongings belongings;
    private final StatisticsCollector census;
    private final PlanningQueue planning;
    private final @Nullable Durability durability;
    private final @Nullable Replication replication;
    private final @Nullable RemoteTransactions remote;

    public Database(DatabaseConfiguration configuration, DatabaseEnvironment environment) {
        this.configuration = configuration;
        this.environment = environment;
        this.current = new AtomicReference<>(Program.empty(configuration.plan()));
        NodeServices services = environment.services();
        ReplicationEnvironment copies = environment.replication();
        PartitionReplicas hosted = copies == null ? null : new PartitionReplicas(copies, new Control(copies));
        DurableLog commits = new DurableLog(hosted == null ? CommitReplication.none() : hosted);
        this.durability = durability(commits);
        this.replication =
                copies == null || hosted == null ? null : new Replication(copies, hosted, durability, commits);
        this.runtimes = NewPartitions.of(configuration, environment, current.get());
        this.sites = newSites();
        this.planning = new PlanningQueue(
                services.planners(), services.clock(), services.scheduler(), configuration.planningCapacity());
        this.census = new StatisticsCollector(runtimes, current, services);
        Statements statements = new Statements(environment.sql(), census, configuration.statements(), services.clock());
        StatementTargets targets = new StatementTargets(current, statements);
        ClusterPorts cluster = environment.cluster();
        this.remote = cluster == null
                ? null
                : new RemoteTransactions(cluster, hosted, runtimes, targets, planning, services.scheduler());
        this.homes = homes(remote);
        census.attach(homes);
        PartitionTransport own = (partition, message) ->
                runtimes.of(partition).partition().inbox().put(message);
        PartitionTransport way = environment.way().apply(remote == null ? own : remote.way());
        this.distributed = new DistributedCalls(
                services,
                configuration.calls(),
                runtimes,
                way,
                remote == null ? way : environment.way().apply(own),
                remote == null ? null : remote.decisions(),
                targets,
                homes);
        if (remote != null) {
            remote.attach(distributed);
        }
        this.loader = loader();
        this.pending = new UnfinishedTables(
                current,
                homes,
                services.scheduler(),
                services.random().split("pending"),
                (sql, ended) -> internal.run(sql, response -> ended.run()));
        this.belongings = new SessionBelongings(
                current, homes, services, RemoteTransactions.reach(remote), internal::run, stopRequested);
        this.changes = changes();
        this.router = router(statements, homes);
        runtimes.of(new PartitionId(0)).expireEverywhereBy(internal::change);
        this.diverged = divergedProcedures();
        this.figures = shown();
    }

    private @Nullable Durability durability(DurableLog commits) {
        DurabilityEnvironment durable = environment.durability();
        NodeServices services = environment.services();
        return durable == null
                ? null
                : new Durability(
                        durable,
                        services.clock(),
                        services.random().split("log"),
                        commits,
                        environment.replication(),
                        partition -> sites.wake(partition));
    }

    private ProcedureLoader loader() {
        return new ProcedureLoader(
                environment.sql(),
                environment.builtinClasses(),
                environment.services().clock(),
                configuration.loading().withCall(configuration.calls().procedure()),
                environment.code());
    }

    private DatabaseRouter router(Statements statements, PartitionHomes homes) {
        return new DatabaseRouter(
                configuration,
                environment.services(),
                current,
                runtimes,
                distributed,
                statements,
                planning,
                census,
                changes,
                pending,
                homes);
    }

    private DatabaseFigures shown() {
        return new DatabaseFigures(
                runtimes,
                sites.all(),
                current::get,
                () -> distributed.live().count(),
                configuration.versionBytes(),
                planning::figures);
    }

    /** The memory budget of requests and results under way on this node. */
    public ByteBudget underWay() {
        return environment.services().underWay();
    }

    /** Temporary tables and advisory locks of this node's sessions. */
    public SessionBelongings belongings() {
        return belongings;
    }

    private ChangeQueue changes() {
        return new ChangeQueue(
                current,
                program -> belongings.use(pending.used(program)),
                loader,
                configuration.loading(),
                environment.services(),
                distributed,
                runtimes,
                replication != null ? replication : durability == null ? CatalogJournal.none() : durability,
                replication == null ? PartitionHomes.allHere() : replication.copies(),
                environment.sql(),
                planning);
    }

    private PartitionHomes homes(@Nullable RemoteTransactions transactions) {
        if (replication != null) {
            return replication.copies();
        }
        return transactions == null ? PartitionHomes.allHere() : new LedPartitions(transactions.primaries());
    }

    private PartitionSites newSites() {
        Durability durable = durability;
        Replication copies = replication;
        CommandLog written = copies != null ? copies.commandLog() : durable == null ? null : durable.commandLog();
        return new PartitionSites(
                runtimes,
                configuration.sites(),
                written == null ? environment.watcher() : WatchedLog.of(written, environment.watcher()),
                outlet -> {
                    CommitGate own = durable == null ? CommitGate.open(outlet) : durable.gate(outlet);
                    return copies == null ? own : copies.gate(outlet, own);
                },
                copies == null ? LeadershipGuard.alwaysLeads() : copies.copies(),
                copies == null ? TurnListener.none() : copies.copies(),
                environment.services().clock(),
                environment.services().scheduler());
    }

    /**
     * Makes a new database from a backup, instead of starting this one, which must be as large as the backed up one
     * was.
     */
    public Restoration.Report restore(Restoration restoration, int recoveryThreads) {
        try {
            return restoration.run(runtimes, environment.sql(), loader, configuration.loading(), recoveryThreads);
        } finally {
            runtimes.all().forEach(runtime -> runtime.storage().close());
        }
    }

    /** Starts with as many threads to recover as there are sites. */
    public void start() {
        start(configuration.sites());
    }

    /**
     * Recovers what the log holds, if there is one, and starts the sites. Called once; fails if the log cannot be
     * trusted.
     *
     * @param recoveryThreads how many partitions to recover at once
     */
    public void start(int recoveryThreads) {
        sites.prepare(environment.runners());
        Durability durable = durability;
        if (durable != null || replication != null) {
            runtimes.all().forEach(runtime -> runtime.checkRepeats(diverged::foundHere));
        }
        if (durable != null) {
            current.set(durable.recover(
                    runtimes,
                    environment.sql(),
                    loader,
                    configuration.loading(),
                    recoveryThreads,
                    replication == null ? remote : null)); // what copies know is asked for when one of them leads
            durable.start();
        }
        belongings.use(pending.used(current.get()));
        beginCopies();
        sites.start();
        if (remote != null) {
            remote.start();
        }
    }

    private void beginCopies() {
        Replication copies = replication;
        if (copies == null) {
            return;
        }
        copies.begin(
                runtimes,
                environment.sql(),
                loader,
                configuration.loading(),
                environment.services().clock(),
                changes,
                configuration.calls().timeoutNanos());
    }

    /** This database around its replicas. */
    private final class Control implements PartitionControl {
        private final ReplicationEnvironment copies;

        Control(ReplicationEnvironment copies) {
            this.copies = copies;
        }

        @Override
        public void wake(int partition) {
            sites.wake(partition);
        }

        @Override
        public void wakeAll() {
            sites.wakeAll();
        }

        @Override
        public boolean depose(PartitionId partition) {
            boolean isInLog = sites.executor(partition).depose();
            runtimes.of(partition).deposed();
            if (remote != null) {
                remote.deposed(partition);
            }
            return isInLog;
        }

        @Override
        public void abandon(PartitionId partition) {
            sites.executor(partition).abandon();
        }

        @Override
        public void promoted(PartitionId partition) {
            if (changes.openCount() > 0) {
                changes.refresh(); // what is being changed now may not count this partition in
            }
            runtimes.of(partition).use(current.get());
        }

        @Override
        public void diverged(String procedure) {
            diverged.foundElsewhere(procedure);
        }

        @Override
        public InDoubtResolver doubts() {
            return remote == null ? copies.doubts() : remote.promotions();
        }

        @Override
        public boolean isNewestCatalogUsed() {
            return replication != null
                    && replication.isNewest(current.get().catalog().version());
        }

        @Override
        public boolean isCounted(PartitionId partition, long epoch) {
            return replication == null || replication.isCounted(partition, epoch);
        }

        @Override
        public boolean isCatalogCalm() {
            return replication == null || replication.isCatalogCalm();
        }

        @Override
        public void goOnWithChanges() {
            if (replication != null) {
                replication.goOnWithChanges();
            }
        }
    }

    /** The copies of its partitions that are here; fails for a database that is on one node only. */
    public PartitionReplicas copies() {
        return replicated().copies();
    }

    /** Coordinator of catalog changes with other nodes; fails for a database that is on one node only. */
    public DdlCoordinator ddl() {
        return replicated().ddl();
    }

    private Replication replicated() {
        Replication copies = replication;
        if (copies == null) {
            throw new IllegalStateException("the database is on one node only");
        }
        return copies;
    }

    private DivergedProcedures divergedProcedures() {
        Durability durable = durability;
        ReplicationEnvironment copies = environment.replication();
        Consumer<String> ofDurable = durable == null ? line -> {} : durable::tell;
        Consumer<String> complaints = copies == null ? ofDurable : copies.complaints();
        Runnable checkpoint = durable == null ? () -> {} : durable::requestCheckpoint;
        return new DivergedProcedures(
                current::get, this::markLoggedByValue, environment.services().scheduler(), complaints, checkpoint);
    }

    private void markLoggedByValue(String procedure, Consumer<TransactionResponse> answer) {
        String statement = "ALTER PROCEDURE " + procedure + " LOG VALUES";
        if (replication == null) {
            changes.apply(
                    new CatalogChange.AlterProcedure(procedure, true),
                    new CatalogEntry.Statement(statement),
                    ChangeHandle.NONE,
                    answer);
            return;
        }
        internal.run(statement, answer); // perhaps another node makes the change
    }

    /**
     * Refuses new requests, finishes those that were accepted, and gives all memory back. Requests that have not ended
     * after the time-out are undone and refused. A second call only returns the result of the first.
     */
    public CompletableFuture<Void> stop(long timeoutNanos) {
        router.refuse();
        if (!stopRequested.compareAndSet(false, true)) {
            return stopped;
        }
        new Shutdown(
                        environment.services(),
                        runtimes,
                        router,
                        distributed.live(),
                        changes,
                        this::heldCount,
                        this::release,
                        stopped)
                .begin(timeoutNanos);
        return stopped;
    }

    private int heldCount() {
        return (durability == null ? 0 : durability.heldCount()) + (replication == null ? 0 : replication.heldCount());
    }

    /** Gives the memory back of a database whose process has ended, as simulated ones do, and does nothing else. */
    public void abandon() {
        runtimes.all().forEach(runtime -> runtime.storage().close());
    }

    private void release() {
        if (remote != null) {
            remote.stop();
        }
        sites.close();
        if (durability != null) {
            durability.stop();
        }
        runtimes.all().forEach(runtime -> runtime.storage().close());
    }

    @Override
    public void submit(TransactionRequest request, ResponseSink sink) {
        router.submit(request, sink);
    }

    @Override
    public void cancel(long clientId, long requestId) {
        router.cancel(clientId, requestId);
    }

    @Override
    public long term(long clientId) {
        return router.term(clientId);
    }

    @Override
    public void departed(ResponseSink sink) {
        router.departed(sink);
    }

    /** Submits a request for a caller that waits. */
    public CompletableFuture<TransactionResponse> submit(TransactionRequest request) {
        FutureResponse sink = new FutureResponse();
        router.submit(request, sink);
        return sink.future();
    }

    /** The port of portals. */
    public PortalSource portals() {
        return router.portals();
    }

    /** The port of clients that prepare statements. */
    public StatementDescriber descriptions() {
        return router.descriptions();
    }

    /** The newest catalog. */
    public Catalog catalog() {
        return current.get().catalog();
    }

    /** Whether this node executes the requests of the partition with the number now. */
    public boolean leads(int partition) {
        return homes.isHere(partition);
    }

    /** Installs a guard of the partition's data from its next transaction on; null takes it away. */
    public void guardData(PartitionId partition, @Nullable DataAccess access) {
        PartitionRuntime runtime = runtimes.of(partition);
        runtime.partition().inbox().put((PartitionTask) here -> runtime.guardData(access));
    }

    /** The partition plan that requests are routed by, and the way to another one. */
    public PartitionPlans plans() {
        return new CatalogPlans(current, changes, homes);
    }

    /** The way in which a reconfiguration changes partitions and their logs. */
    public ReconfigurationLog reconfiguration() {
        return new PartitionSteps(runtimes, sites.log(), homes);
    }

    /** Which site runs which partition. */
    public SitePlacement placement() {
        return sites;
    }

    /** The jars that procedures come from, in the order in which they were loaded. */
    public List<ProcedureJar> jars() {
        Program program = current.get();
        return program.jars().usedBy(program.catalog()).all();
    }

    /** Why calls of the procedure are logged by value; empty if they are logged as commands, or change nothing. */
    public List<String> valueReasons(String procedure) {
        return current.get().valueReasons(procedure);
    }

    /** Changes the catalog on all partitions, or on none. A durable database takes changes as statements only. */
    public CompletableFuture<TransactionResponse> applyChange(CatalogChange change) {
        CompletableFuture<TransactionResponse> future = new CompletableFuture<>();
        changes.apply(change, new CatalogEntry.Untold(), ChangeHandle.NONE, future::complete);
        return future;
    }

    /** Brings in a jar of procedures; those that came from an earlier jar with the same classes are replaced. */
    public CompletableFuture<TransactionResponse> loadClasses(byte[] jar) {
        return submit(JarRequest.of(jar));
    }

    /**
     * Its part in transactions over several nodes, which must be told of messages and links; null for a database that
     * is one node's.
     */
    public @Nullable RemoteTransactions remote() {
        return remote;
    }

    /** The statistics of the tables' contents, which have to be connected with those of other nodes. */
    public StatisticsCollector census() {
        return census;
    }

    /** The partition's runtime, for the partition's thread. */
    PartitionRuntime runtime(PartitionId partition) {
        return runtimes.of(partition);
    }

    /** The durability of the database; null if it has none. */
    public @Nullable Durability durability() {
        return durability;
    }

    /** Asks the partitions that this node leads whether transactions commit. */
    public ProbeRound probe() {
        return ProbeRound.begin(runtimes, homes);
    }

    public List<Site> sites() {
        return sites.all();
    }

    /** The partitions. */
    PartitionRuntimes runtimes() {
        return runtimes;
    }

    public DatabaseConfiguration configuration() {
        return configuration;
    }

    /** The figures for monitoring. */
    public DatabaseFigures figures() {
        return figures;
    }
}
