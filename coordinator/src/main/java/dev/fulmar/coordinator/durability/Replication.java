package dev.fulmar.coordinator.durability;

import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.change.CatalogJournal;
import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.change.ChangeQueue;
import dev.fulmar.coordinator.change.StorageStep;
import dev.fulmar.coordinator.durability.catalog.CatalogHistory;
import dev.fulmar.coordinator.durability.catalog.DurableJournal;
import dev.fulmar.coordinator.durability.catalog.LoadedEditions;
import dev.fulmar.coordinator.durability.checkpoint.Checkpoints;
import dev.fulmar.coordinator.durability.checkpoint.CopyKeeper;
import dev.fulmar.coordinator.durability.ddl.DdlCoordinator;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.durability.log.CatalogRecord;
import dev.fulmar.coordinator.durability.log.DurableLog;
import dev.fulmar.coordinator.durability.log.PartitionLog;
import dev.fulmar.coordinator.durability.recovery.CatalogReplay;
import dev.fulmar.coordinator.durability.recovery.PartitionReplay;
import dev.fulmar.coordinator.durability.recovery.RowsReplay;
import dev.fulmar.coordinator.durability.recovery.StreamReplay;
import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.coordinator.durability.replica.PartitionReplicas;
import dev.fulmar.coordinator.durability.replica.ReplicaLog;
import dev.fulmar.coordinator.durability.replica.ReplicationEnvironment;
import dev.fulmar.coordinator.durability.replica.ReplicationGate;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.partition.CommandLog;
import dev.fulmar.engine.partition.CommitGate;
import dev.fulmar.engine.partition.ReplyOutlet;
import dev.fulmar.engine.procedure.loading.LoadingLimits;
import dev.fulmar.engine.procedure.loading.ProcedureJars;
import dev.fulmar.engine.procedure.loading.ProcedureLoader;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.pmemlog.log.PartitionLogBuffer;
import dev.fulmar.pmemlog.segment.StreamEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sets up the database's replicas on this node when it starts, over the recovered logs if there are any, and journals
 * the catalog's changes. Its life is {@link #begin}, then that of the {@linkplain #copies() copies}.
 */
public final class Replication implements CatalogJournal {
    /**
     * A node reaches this where its catalog or its rows differ from those of others; the code of the failure stands
     * behind it.
     */
    public static final String CHANGE_HINDERED = "catalog: a change that counts cannot be made: ";

    private static final int LANE_BYTES = 1 << 20;
    private static final int MAX_RECORD_BYTES = 64 << 20;

    private final ReplicationEnvironment environment;
    private final PartitionReplicas copies;
    private final @Nullable Durability durability;
    private final DurableLog commits;
    private final List<ReplicationGate> gates = new ArrayList<>();
    private volatile @Nullable Recovered catalog;
    private volatile @Nullable CatalogReplay catalogReplay;
    private volatile @Nullable DdlCoordinator ddlCoordinator;

    /**
     * @param durability null for a database without a log on disk
     * @param commits the command log of the database
     */
    public Replication(
            ReplicationEnvironment environment,
            PartitionReplicas copies,
            @Nullable Durability durability,
            DurableLog commits) {
        this.environment = environment;
        this.copies = copies;
        this.durability = durability;
        this.commits = commits;
    }

    /**
     * Makes the copies; after the recovery of a durable database, before anything runs.
     *
     * @param lockNanos how long partitions may be locked for a change of the catalog that is not decided
     */
    public void begin(
            PartitionRuntimes runtimes,
            SqlFrontend sql,
            ProcedureLoader loader,
            LoadingLimits limits,
            Clock clock,
            ChangeQueue changes,
            long lockNanos) {
        Durability durable = durability;
        Recovered found = durable == null ? nothing(runtimes, sql, loader, limits, clock) : durable.recovered();
        catalog = found;
        LongSupplier newest = () -> found.catalog().settled();
        List<PartitionReplica> all = new ArrayList<>();
        for (PartitionRuntime runtime : runtimes.all()) {
            int number = runtime.partition().id().number();
            RowsReplay replay = new RowsReplay(found.replays().get(number), newest);
            replay.showDoubt();
            all.add(copy(runtime.partition().id(), runtime, clock, found.logs().get(number), replay));
        }
        DdlCoordinator shared = new DdlCoordinator(
                copies,
                found.catalog(),
                changes,
                found.journal().mostImageBytes(),
                found.journal()::shortage,
                lockNanos);
        CatalogReplay replay = new CatalogReplay(found.catalog(), found.journal(), adopter(changes, shared));
        ddlCoordinator = shared;
        catalogReplay = replay;
        all.add(copy(new PartitionId(all.size()), null, clock, found.journal().records(), replay));
        copies.bind(all);
    }

    private static CatalogReplay.Adopter adopter(ChangeQueue changes, DdlCoordinator shared) {
        return new CatalogReplay.Adopter() {
            @Override
            public void settled(long version, byte[] kept, long timestamp) {
                shared.settled(version, kept, timestamp);
            }

            @Override
            public void adopt(Catalog newCatalog, ProcedureJars jars, List<StorageStep> steps) {
                changes.adopt(newCatalog, jars, steps);
            }

            @Override
            public void fallBack(Catalog oldCatalog, ProcedureJars jars) {
                changes.fallBack(oldCatalog, jars);
            }
        };
    }

    private static CopyKeeper keeperOf(@Nullable Durability durable) {
        Checkpoints checkpoints = durable == null ? null : durable.checkpoints();
        return checkpoints == null ? CopyKeeper.none() : checkpoints;
    }

    private PartitionReplica copy(
            PartitionId partition,
            @Nullable PartitionRuntime runtime,
            Clock clock,
            PartitionLog log,
            StreamReplay replay) {
        Durability durable = durability;
        Checkpoints checkpoints = durable == null ? null : durable.checkpoints();
        if (checkpoints != null) {
            log.checkpointed(checkpoints.position(log.lane().stream()).sequence());
        }
        ReplicaLog stream = new ReplicaLog(
                log,
                replay,
                durable != null && durable.mode() == DurabilityMode.SYNC,
                runtime == null ? Long.MAX_VALUE : environment.memoryBytes(),
                environment.complaints(),
                keeperOf(durable));
        return new PartitionReplica(partition, runtime, clock, environment, copies, stream);
    }

    /**
     * Logs, replays and catalog that a recovery found, or the beginnings of a database without a log.
     *
     * @param logs of the partitions
     * @param replays of the partitions, which go on with what other nodes send
     * @param journal writes the changes of the catalog
     */
    record Recovered(
            List<PartitionLog> logs, List<PartitionReplay> replays, CatalogHistory catalog, DurableJournal journal) {
        Recovered {
            logs = List.copyOf(logs);
            replays = List.copyOf(replays);
        }
    }

    private Recovered nothing(
            PartitionRuntimes runtimes, SqlFrontend sql, ProcedureLoader loader, LoadingLimits limits, Clock clock) {
        CatalogHistory history = CatalogHistory.begin(sql, limits);
        LoadedEditions editions = new LoadedEditions(history, loader);
        PartitionLog[] logs = new PartitionLog[runtimes.count()];
        List<PartitionReplay> replays = new ArrayList<>();
        for (int number = 0; number < logs.length; number++) {
            PartitionRuntime runtime = runtimes.all().get(number);
            PartitionLogBuffer lane =
                    PartitionLogBuffer.unwritten(number, new StreamEnd(0, 0), LANE_BYTES, MAX_RECORD_BYTES);
            logs[number] = new PartitionLog(
                            lane,
                            () -> Math.toIntExact(runtime.program().catalog().version()),
                            () -> {},
                            MAX_RECORD_BYTES)
                    .withRows(runtime.storage())
                    .withDecisions(runtime);
            replays.add(new PartitionReplay(runtime, history, editions, Long.MAX_VALUE));
        }
        commits.bind(null, logs);
        PartitionLogBuffer changes =
                PartitionLogBuffer.unwritten(CatalogRecord.STREAM, new StreamEnd(0, 0), LANE_BYTES, MAX_RECORD_BYTES);
        return new Recovered(
                List.of(logs), replays, history, DurableJournal.unwritten(changes, MAX_RECORD_BYTES, history, clock));
    }

    /** The copies; after {@link #begin}. */
    public PartitionReplicas copies() {
        return copies;
    }

    /** Coordinator of catalog changes with other nodes. After {@link #begin}. */
    public DdlCoordinator ddl() {
        DdlCoordinator shared = ddlCoordinator;
        if (shared == null) {
            throw Invariants.breach("a database is started before it takes part in a cluster");
        }
        return shared;
    }

    /** Whether no change of the catalog may be decided without the partition's primary of the epoch. */
    public boolean isCounted(PartitionId partition, long epoch) {
        DdlCoordinator shared = ddlCoordinator;
        return shared == null || shared.isCounted(partition, epoch);
    }

    /** Goes on with the changes of the catalog; on the thread of the catalog's replica. */
    public void goOnWithChanges() {
        DdlCoordinator shared = ddlCoordinator;
        if (shared != null) {
            shared.look();
        }
    }

    /** Whether no change of the catalog is under way here. On the thread of the catalog's replica. */
    public boolean isCatalogCalm() {
        DdlCoordinator shared = ddlCoordinator;
        return shared == null || shared.isCalm();
    }

    /** The newest version of the catalog that the node has. */
    public long catalogVersion() {
        Recovered found = catalog;
        return found == null ? -1 : found.catalog().catalog().version();
    }

    /** Command log that commits go to. */
    public CommandLog commandLog() {
        return commits;
    }

    /** A gate for one partition. */
    public CommitGate gate(ReplyOutlet outlet, CommitGate before) {
        ReplicationGate gate = new ReplicationGate(outlet, before, copies, commits);
        gates.add(gate);
        return gate;
    }

    /** Number of replies and votes that wait for other nodes. */
    public int heldCount() {
        return gates.stream().mapToInt(ReplicationGate::heldCount).sum();
    }

    /** Whether this is the newest version of the catalog that the node has, and it will always count. */
    public boolean isNewest(long version) {
        Recovered found = catalog;
        return found != null
                && found.catalog().catalog().version() == version
                && found.catalog().settled() == version;
    }

    @Override
    public void check() {
        boolean isAlone = copies.all().stream().anyMatch(PartitionReplica::hasJoined)
                && !copies.catalog().hasJoined();
        if (isAlone) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "the catalog of this cluster cannot be changed while it runs, for the plan of the cluster, which an older"
                            + " version of Fulmar made, does not say where the catalog is; make a new cluster with this version");
        }
    }

    @Override
    public boolean isShared() {
        DdlCoordinator shared = ddlCoordinator;
        return shared != null && shared.isConnected();
    }

    @Override
    public long versionMadeUnder(ChangeHandle handle) {
        Recovered found = catalog;
        return found == null ? 0 : found.catalog().made().version(handle);
    }

    @Override
    public void confirm(Runnable confirmed, Consumer<FulmarException> lost) {
        PartitionReplica stream = copies.catalog();
        if (stream.hasJoined()) {
            stream.post(() -> stream.onceConfirmed(confirmed, () -> lost.accept(madeElsewhere())));
        } else {
            confirmed.run();
        }
    }

    private static FulmarException madeElsewhere() {
        return new FulmarException(
                ErrorCode.NOT_CONNECTED,
                "another node makes the changes of the catalog now; nothing was changed, send the statement again");
    }

    @Override
    public void announce(long version, CatalogEntry entry, Consumer<@Nullable FulmarException> ended) {
        DdlCoordinator shared = ddlCoordinator;
        if (shared == null || !shared.isConnected()) {
            ended.accept(null);
        } else {
            shared.announce(version, entry, ended);
        }
    }

    @Override
    public void begun(Consumer<FulmarException> end) {
        DdlCoordinator shared = ddlCoordinator;
        if (shared != null && shared.isConnected()) {
            shared.begun(end);
        }
    }

    @Override
    public void hindered(ErrorCode code) {
        environment.probes().reached(CHANGE_HINDERED + code);
    }

    @Override
    public void withdraw() {
        DdlCoordinator shared = ddlCoordinator;
        if (shared != null && shared.isConnected()) {
            shared.withdraw();
        }
    }

    @Override
    public void append(
            long version, CatalogEntry entry, long promised, LongConsumer durable, Consumer<FulmarException> lost) {
        append(version, entry, List.of(), promised, durable, lost);
    }

    @Override
    public void append(
            long version,
            CatalogEntry entry,
            List<PartitionId> tried,
            long promised,
            LongConsumer durable,
            Consumer<FulmarException> lost) {
        Recovered found = catalog;
        DdlCoordinator shared = ddlCoordinator;
        if (found == null || shared == null) {
            throw Invariants.breach("the catalog changes in a database that runs");
        }
        if (entry instanceof CatalogEntry.Untold) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "a database with copies on other nodes takes changes of the catalog as statements only");
        }
        PartitionReplica stream = copies.catalog();
        if (stream.hasJoined()) {
            stream.post(() -> shared.decide(
                    tried, promised, all -> write(found, version, entry, all, new MadeChange(durable, lost)), lost));
            return;
        }
        CatalogJournal own = durability == null ? CatalogJournal.none() : durability;
        own.append(
                version,
                entry,
                promised,
                at -> {
                    found.catalog().add(Math.toIntExact(version), entry);
                    found.catalog().settle(version);
                    durable.accept(at);
                },
                lost);
    }

    /** On the catalog's thread. */
    private void write(Recovered found, long version, CatalogEntry entry, long promised, MadeChange outcome) {
        PartitionReplica stream = copies.catalog();
        CatalogReplay replay = catalogReplay;
        // Changes come one at a time, so what this one was made from is the newest that is in use.
        if (replay == null || !stream.serves() || !stream.leads() || !copies.knowsCatalog()) {
            outcome.refuse.accept(madeElsewhere());
            return;
        }
        found.journal().write(version, entry, promised);
        found.catalog().add(Math.toIntExact(version), entry);
        replay.made(stream.end(), version, outcome);
        stream.turnEnded();
    }

    /** Outcome of a change that was made here. */
    private record MadeChange(LongConsumer durable, Consumer<FulmarException> refuse) implements CatalogReplay.Outcome {
        @Override
        public void settled(long timestamp) {
            durable.accept(timestamp);
        }

        @Override
        public void lost() {
            refuse.accept(
                    new FulmarException(
                            ErrorCode.NOT_CONNECTED,
                            "another node took over before all had the change of the catalog; nothing was changed, send the statement again"));
        }
    }
}
