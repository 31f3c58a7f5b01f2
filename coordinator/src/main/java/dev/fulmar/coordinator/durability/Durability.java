package dev.fulmar.coordinator.durability;

import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.change.CatalogJournal;
import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.durability.backup.BackupCut;
import dev.fulmar.coordinator.durability.backup.BackupFigures;
import dev.fulmar.coordinator.durability.backup.OnlineBackup;
import dev.fulmar.coordinator.durability.catalog.DurableJournal;
import dev.fulmar.coordinator.durability.checkpoint.Checkpoints;
import dev.fulmar.coordinator.durability.environment.DurabilityEnvironment;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.durability.environment.RecoveryFigures;
import dev.fulmar.coordinator.durability.log.CatalogRecord;
import dev.fulmar.coordinator.durability.log.DurableGate;
import dev.fulmar.coordinator.durability.log.DurableLog;
import dev.fulmar.coordinator.durability.log.PartitionLog;
import dev.fulmar.coordinator.durability.recovery.Recovery;
import dev.fulmar.coordinator.durability.replica.ReplicationEnvironment;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.InDoubtPart;
import dev.fulmar.coordinator.transaction.KeptDecision;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.partition.CommandLog;
import dev.fulmar.engine.partition.CommitGate;
import dev.fulmar.engine.partition.ReplyOutlet;
import dev.fulmar.engine.partition.counter.LatencyHistogram;
import dev.fulmar.engine.procedure.loading.LoadingLimits;
import dev.fulmar.engine.procedure.loading.ProcedureLoader;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.agent.AgentRunner;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.pmemlog.log.DurabilityListener;
import dev.fulmar.pmemlog.log.LogCounters;
import dev.fulmar.pmemlog.log.LogOpening;
import dev.fulmar.pmemlog.log.OperationLog;
import dev.fulmar.pmemlog.log.PartitionLogBuffer;
import dev.fulmar.pmemlog.recovery.LogReader;
import dev.fulmar.pmemlog.recovery.LogScan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The durability of one database: recovers it, then keeps its log. Its life is {@link #recover}, {@link #start},
 * {@link #stop}, called by one thread in this order.
 */
public final class Durability implements CatalogJournal {
    private final DurabilityEnvironment environment;
    private final Clock clock;
    private final RandomSource random;
    private final List<DurableGate> gates = new ArrayList<>();
    private volatile @Nullable OperationLog log;
    private volatile @Nullable DurableJournal journal;
    private volatile int partitionCount;
    private final IntConsumer wakeSite;
    private volatile @Nullable AgentRunner logRunner;
    private volatile @Nullable AgentRunner preparerRunner;
    private final DurableLog commits;
    private volatile Replication.@Nullable Recovered recovered;
    private final @Nullable ReplicationEnvironment replication;
    private volatile @Nullable Checkpoints checkpoints;
    private final RecoveryFigures recovery = new RecoveryFigures();
    private Runnable startCheckpoints = () -> {};
    private volatile @Nullable LongFunction<BackupCut> cutter;
    private volatile @Nullable Storage archive;
    private volatile long mostArchivedBytes = Long.MAX_VALUE;
    private final AtomicReference<@Nullable BackupFigures> backup = new AtomicReference<>();
    private volatile @Nullable AgentRunner backupRunner;

    /**
     * @param commits the command log of the database
     * @param replication null for a database on one node; with copies on others, what is in doubt at the end of the
     *     logs is not decided here alone
     * @param wakeSite lets the site of a partition take its turn
     */
    public Durability(
            DurabilityEnvironment environment,
            Clock clock,
            RandomSource random,
            DurableLog commits,
            @Nullable ReplicationEnvironment replication,
            IntConsumer wakeSite) {
        this.environment = environment;
        this.commits = commits;
        this.replication = replication;
        this.wakeSite = wakeSite;
        this.clock = clock;
        this.random = random;
    }

    /** Takes what transactions over several nodes left behind. */
    public interface Heritage {
        /**
         * Called once, when all is recovered and before anything runs.
         *
         * @param decisions decisions to commit that others may ask for
         * @param doubtful parts whose base partition is to be asked
         */
        void inherited(List<KeptDecision> decisions, List<InDoubtPart> doubtful);
    }

    /**
     * Reads the log, brings the partitions to where it says that they were, and opens it; returns what runs from now
     * on.
     *
     * @param heritage null for a database that is one node's
     */
    public Program recover(
            PartitionRuntimes runtimes,
            SqlFrontend sql,
            ProcedureLoader loader,
            LoadingLimits limits,
            int threads,
            @Nullable Heritage heritage) {
        long begin = clock.monotonicNanos();
        LogScan scan =
                LogReader.scan(environment.storage(), environment.settings().directory());
        scan.check();
        Checkpoints found = Checkpoints.open(environment, random.split("checkpoints"));
        Recovery recovering =
                new Recovery(environment, scan, found, runtimes, clock, recovery, Long.MAX_VALUE, heritage != null);
        ReplicationEnvironment copies = replication;
        Recovery.Result result = (copies == null ? recovering : recovering.unfinished(copies.memoryBytes()))
                .run(sql, loader, limits, threads, begin);
        OperationLog opened =
                LogOpening.open(environment.storage(), clock, random, environment.settings(), new Listener(), scan);
        try {
            openArchive(opened);
        } catch (RuntimeException e) {
            opened.onClose();
            opened.preparer().onClose();
            throw e;
        }
        log = opened;
        DurableJournal opening = new DurableJournal(opened, this::wakeLog, result.catalog(), clock);
        journal = opening;
        PartitionLog[] partitions = openLogs(opened, runtimes);
        for (Recovery.Resolved doubt : result.toWrite()) {
            partitions[doubt.partition()].decision(
                    doubt.transaction(), doubt.attempt(), doubt.commit(), doubt.commitTimestamp(), null, List.of());
            partitions[doubt.partition()].offer();
        }
        recovered = new Replication.Recovered(List.of(partitions), recovering.replays(), result.catalog(), opening);
        partitionCount = partitions.length;
        commits.bind(opened, partitions);
        checkpoints = found;
        cutter = least -> new BackupCut(runtimes, List.of(partitions), clock, Math.max(least, opening.lastTimestamp()));
        startCheckpoints = () -> found.start(runtimes, List.of(partitions), opening, opened, recovery, clock);
        if (heritage != null) {
            heritage.inherited(result.decisions(), result.doubtful());
        }
        return result.program();
    }

    private PartitionLog[] openLogs(OperationLog opened, PartitionRuntimes runtimes) {
        PartitionLog[] partitions = new PartitionLog[runtimes.count()];
        for (int number = 0; number < partitions.length; number++) {
            PartitionRuntime runtime = runtimes.all().get(number);
            partitions[number] = new PartitionLog(
                            opened.openLane(number),
                            () -> Math.toIntExact(runtime.program().catalog().version()),
                            this::wakeLog,
                            opened.settings().maxRecordBytes())
                    .withRows(runtime.storage())
                    .withDecisions(runtime);
        }
        return partitions;
    }

    /** Logs, replays and catalog that the recovery found. After {@link #recover}. */
    Replication.Recovered recovered() {
        Replication.Recovered found = recovered;
        if (found == null) {
            throw Invariants.breach("a database is recovered before it has copies");
        }
        return found;
    }

    /** The changes of the catalog. After {@link #recover}. */
    DurableJournal journal() {
        DurableJournal open = journal;
        if (open == null) {
            throw Invariants.breach("a log is opened before it is used");
        }
        return open;
    }

    /** Command log that commits go to; works after {@link #recover}. */
    public CommandLog commandLog() {
        return commits;
    }

    /** A gate for one partition; works after {@link #recover}. */
    public CommitGate gate(ReplyOutlet outlet) {
        DurableGate gate = new DurableGate(outlet, environment.mode(), commits);
        gates.add(gate);
        return gate;
    }

    /** Starts the log's agents. After {@link #recover}, before the sites start. */
    public void start() {
        OperationLog opened = log;
        if (opened == null) {
            throw Invariants.breach("a log is opened before it is used");
        }
        AgentRunner preparer = environment.runners().apply(opened.preparer());
        preparerRunner = preparer;
        preparer.start();
        AgentRunner writer = environment.runners().apply(opened);
        logRunner = writer;
        writer.start();
        startCheckpoints.run();
    }

    /**
     * Begins a backup to an empty storage, while the database works.
     *
     * @param properties what its manifest is to say beside the times
     * @param alsoFiles small files of this database's storage that belong to it
     * @param directory how to call it
     */
    public BackupFigures backUp(
            Storage target, SortedMap<String, String> properties, List<String> alsoFiles, String directory) {
        Checkpoints taken = checkpoints;
        OperationLog opened = log;
        LongFunction<BackupCut> cuts = cutter;
        if (taken == null || opened == null || cuts == null || !taken.isTaking()) {
            throw new FulmarException(
                    ErrorCode.NODE_STOPPING, "the database does not run yet; take the backup when it does");
        }
        BackupFigures figures = new BackupFigures(directory);
        BackupFigures before = backup.get();
        if ((before != null && !before.isOver()) || !backup.compareAndSet(before, figures)) {
            throw new FulmarException(
                    ErrorCode.SERVER_BUSY, "another backup is under way; wait for its end, which the status shows");
        }
        AgentRunner ended = backupRunner;
        if (ended != null) {
            ended.close();
        }
        AgentRunner runner = environment
                .runners()
                .apply(new OnlineBackup(
                        taken, opened, environment.storage(), target, properties, alsoFiles, cuts, clock, figures));
        backupRunner = runner;
        runner.start();
        return figures;
    }

    /**
     * Has every segment of the log copied to the storage before its space is used again. Best before {@link #recover},
     * so that none is missed; fails, or lets that fail, if another log is there.
     */
    public void archiveTo(Storage target) {
        archiveTo(target, Long.MAX_VALUE);
    }

    /**
     * The same with an end.
     *
     * @param mostBytes what the archive may have: its oldest segments go for new ones
     */
    public void archiveTo(Storage target, long mostBytes) {
        mostArchivedBytes = mostBytes;
        archive = target;
        OperationLog opened = log;
        if (opened != null) {
            openArchive(opened);
        }
    }

    private void openArchive(OperationLog opened) {
        Storage target = archive;
        if (target == null) {
            return;
        }
        try {
            opened.preparer().archiveTo(target, mostArchivedBytes);
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.STORAGE_FAILURE,
                    "the archive of the log cannot be read (" + e + "); check path, permissions and device",
                    e);
        }
    }

    /** Why the log cannot be archived now; null while it can, or need not. */
    public @Nullable FulmarException archiveFailure() {
        OperationLog opened = log;
        return opened == null ? null : opened.preparer().archiveFailure();
    }

    /** The last backup of this life; null if there was none. */
    public @Nullable BackupFigures backup() {
        return backup.get();
    }

    /** Writes what is there, seals the log, and ends its agents. After the sites ended. */
    public void stop() {
        AgentRunner copying = backupRunner;
        if (copying != null) {
            copying.close();
        }
        Checkpoints taken = checkpoints;
        if (taken != null) {
            taken.stop();
        }
        AgentRunner writer = logRunner;
        AgentRunner preparer = preparerRunner;
        if (writer != null) {
            writer.close();
        }
        if (preparer != null) {
            preparer.close();
        }
    }

    /** Tells the node's operator a line. */
    public void tell(String line) {
        environment.progress().accept(line);
    }

    /** Asks for a checkpoint, if checkpoints are taken. */
    public void requestCheckpoint() {
        Checkpoints taken = checkpoints;
        if (taken != null && taken.isTaking()) {
            taken.request();
        }
    }

    /** Progress and result of the recovery. */
    public RecoveryFigures recovery() {
        return recovery;
    }

    /** The checkpoints; null before recovery. */
    public @Nullable Checkpoints checkpoints() {
        return checkpoints;
    }

    private void wakeLog() {
        AgentRunner writer = logRunner;
        if (writer != null) {
            writer.wakeUp();
        }
    }

    /** Number of replies and votes that wait for the log. */
    public int heldCount() {
        return gates.stream().mapToInt(DurableGate::heldCount).sum();
    }

    /** Waiting times of replies and votes that had to wait for the log, of a sample. */
    public LatencyHistogram gateWaits() {
        LatencyHistogram all = new LatencyHistogram();
        gates.forEach(gate -> all.add(gate.waits()));
        return all;
    }

    @Override
    public void append(
            long version, CatalogEntry entry, long promised, LongConsumer durable, Consumer<FulmarException> lost) {
        DurableJournal open = journal;
        if (open == null) {
            throw Invariants.breach("a log is opened before it is used");
        }
        open.append(version, entry, promised, durable, lost);
    }

    @Override
    public long versionMadeUnder(ChangeHandle handle) {
        DurableJournal open = journal;
        return open == null ? 0 : open.versionMadeUnder(handle);
    }

    public DurabilityMode mode() {
        return environment.mode();
    }

    /** Counters of the log. After {@link #recover}. */
    public LogCounters counters() {
        OperationLog opened = log;
        if (opened == null) {
            throw Invariants.breach("a log is opened before it is used");
        }
        return opened.counters();
    }

    /** Why nothing becomes durable any more; null while all is well. */
    public @Nullable FulmarException failure() {
        OperationLog opened = log;
        return opened == null ? null : opened.failure();
    }

    /** Why the log takes no more now; null while it has space. */
    public @Nullable FulmarException shortage() {
        OperationLog opened = log;
        return opened == null ? null : opened.shortage();
    }

    private final class Listener implements DurabilityListener {
        @Override
        public void durable(PartitionLogBuffer lane) {
            if (lane.stream() == CatalogRecord.STREAM) {
                DurableJournal open = journal;
                if (open != null) {
                    open.durable();
                    wakeSite.accept(0); // whose thread is the catalog's too, if it has copies on other nodes
                }
            } else {
                wakeSite.accept(lane.stream());
            }
        }

        @Override
        public void failed(FulmarException failure) {
            for (int partition = 0; partition < partitionCount; partition++) {
                wakeSite.accept(partition); // so that what is held is answered at once
            }
            environment.failed().accept(failure);
        }
    }
}
