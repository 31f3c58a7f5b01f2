package dev.fulmar.coordinator.durability.checkpoint;

import dev.fulmar.coordinator.durability.environment.DurabilityEnvironment;
import dev.fulmar.coordinator.durability.environment.RecoveryFigures;
import dev.fulmar.coordinator.durability.log.CatalogRecord;
import dev.fulmar.coordinator.durability.log.CopyRow;
import dev.fulmar.coordinator.durability.log.PartitionLog;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.checkpoint.BoundsRow;
import dev.fulmar.engine.checkpoint.CheckpointCompanion;
import dev.fulmar.engine.checkpoint.Companions;
import dev.fulmar.engine.checkpoint.PartitionCheckpointSource;
import dev.fulmar.engine.checkpoint.RowNumberRows;
import dev.fulmar.engine.partitioning.BucketLayout;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.table.RestoredBuckets;
import dev.fulmar.foundation.agent.AgentRunner;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.pmemlog.checkpoint.CheckpointCounters;
import dev.fulmar.pmemlog.checkpoint.CheckpointListener;
import dev.fulmar.pmemlog.checkpoint.CheckpointPosition;
import dev.fulmar.pmemlog.checkpoint.CheckpointPressure;
import dev.fulmar.pmemlog.checkpoint.CheckpointSource;
import dev.fulmar.pmemlog.checkpoint.CheckpointStore;
import dev.fulmar.pmemlog.checkpoint.Checkpointer;
import dev.fulmar.pmemlog.checkpoint.LoadReport;
import dev.fulmar.pmemlog.checkpoint.RowConsumer;
import dev.fulmar.pmemlog.log.OperationLog;
import dev.fulmar.pmemlog.recovery.LogScan;
import dev.fulmar.pmemlog.recovery.StreamSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoints of one database, of every partition and of the catalog's changes, each as a partition of the
 * {@link CheckpointStore}. They are loaded before the log is replayed; then they are taken, and the log gives up what
 * they make needless.
 */
public final class Checkpoints implements CopyKeeper {
    private final DurabilityEnvironment environment;
    private final CheckpointStore store;
    private final SortedMap<Integer, CheckpointPosition> positions;
    private final boolean readOnly;
    private final Map<Integer, Integer> outcomeRows = new ConcurrentHashMap<>();
    private final Map<Integer, Integer> decisionRows = new ConcurrentHashMap<>();
    private final Map<Integer, RowNumberRows> rowNumbers = new ConcurrentHashMap<>();
    private final Map<Integer, BucketLayout> bounds = new ConcurrentHashMap<>();
    private final Map<Integer, CopyRow.Content> restoredCopies = new ConcurrentHashMap<>();
    private final Map<Integer, CopyRow> copies = new ConcurrentHashMap<>();

    /** Of streams in which a copy began: how many rounds still speak of what was before. */
    private final Map<Integer, Integer> staleRounds = new ConcurrentHashMap<>();

    private volatile @Nullable OperationLog log;
    private volatile @Nullable Checkpointer checkpointer;
    private volatile @Nullable AgentRunner runner;

    /** Whether the node was told to end. */
    private final AtomicBoolean hasEnded = new AtomicBoolean();

    private Checkpoints(DurabilityEnvironment environment, CheckpointStore store, boolean readOnly) {
        this.readOnly = readOnly;
        this.environment = environment;
        this.store = store;
        this.positions = store.positions();
    }

    public static Checkpoints open(DurabilityEnvironment environment, RandomSource random) {
        CheckpointStore store = CheckpointStore.open(environment.storage(), environment.checkpoints(), random);
        store.remarks().forEach(remark -> environment.progress().accept("recovery: " + remark));
        return new Checkpoints(environment, store, false);
    }

    /** To be loaded only; nothing on the storage changes. */
    public static Checkpoints openToRead(DurabilityEnvironment environment) {
        CheckpointStore store = CheckpointStore.openToRead(environment.storage(), environment.checkpoints());
        return new Checkpoints(environment, store, true);
    }

    /** Fails unless the log goes on where the checkpoints end. */
    public void check(LogScan scan, int partitions) {
        SortedMap<Integer, StreamSummary> streams = scan.streams();
        for (Map.Entry<Integer, CheckpointPosition> checkpoint : positions.entrySet()) {
            int stream = checkpoint.getKey();
            if (stream >= partitions) {
                throw new FulmarException(
                        ErrorCode.INVALID_CONFIGURATION,
                        "there is a checkpoint of partition " + stream + " but the database is to have " + partitions
                                + " partitions; start it with as many as it had");
            }
            long covered = checkpoint.getValue().sequence();
            StreamSummary summary = streams.get(stream);
            boolean isShort = summary == null || (summary.lastSequence() < covered && !summary.isCopy());
            if (covered > 0 && isShort) {
                throw broken(
                        scan,
                        "ends at record " + (summary == null ? 0 : summary.lastSequence()) + " of stream " + stream
                                + ", before record " + covered + " to which its checkpoint goes");
            }
        }
        streams.forEach((stream, summary) -> {
            long covered = position(stream).sequence();
            // Whether a copy that came from another node is whole is judged when its stream is read.
            if (summary.baseSequence() > covered && !summary.isCopy()) {
                throw broken(
                        scan,
                        "begins after record " + summary.baseSequence() + " of stream " + stream
                                + ", but its checkpoint goes to record " + covered + " only");
            }
        });
    }

    private static FulmarException broken(LogScan scan, String what) {
        return new FulmarException(
                ErrorCode.CORRUPTION,
                "the log in " + scan.directory() + " " + what
                        + "; log and checkpoints are not of one time: restore the whole data directory from a copy");
    }

    /** Up to where the stream's checkpoint goes. */
    public CheckpointPosition position(int stream) {
        return positions.getOrDefault(stream, CheckpointPosition.START);
    }

    /** Gives the consumer the rows of the stream's checkpoint. On any thread, once for each stream. */
    public LoadReport load(int stream, RowConsumer consumer) {
        LoadReport report = readOnly ? store.read(stream, consumer) : store.load(stream, consumer);
        for (String slot : report.repaired()) {
            environment.progress().accept("recovery: a torn slot is repaired from the checkpoint log: " + slot);
        }
        return report;
    }

    /** Brings the partition's tables and memory of requests to the checkpoint; the tables are there and empty. */
    public LoadReport load(PartitionRuntime runtime) {
        PartitionStorage storage = runtime.storage();
        SortedMap<Long, byte[]> outcomes = new TreeMap<>();
        RowNumberRows numbers = new RowNumberRows(storage);
        RestoredBuckets rows = new RestoredBuckets(storage);
        int number = runtime.partition().id().number();
        LoadReport report = load(number, (table, bucket, row, array, offset, length) -> {
            switch (table) {
                case OutcomeRows.TABLE -> outcomes.put(row, Arrays.copyOfRange(array, offset, offset + length));
                case DecisionRows.TABLE -> {
                    DecisionRows.restore(runtime.decisions(), Arrays.copyOfRange(array, offset, offset + length));
                    decisionRows.merge(number, 1, Integer::sum);
                }
                case CopyRow.TABLE -> restoredCopies.put(number, CopyRow.read(array, offset, offset + length));
                case RowNumberRows.TABLE -> numbers.restore(bucket, row, array, offset);
                case BoundsRow.TABLE -> bounds.put(number, BoundsRow.restore(storage, array, offset, length));
                default -> rows.row(table, bucket, row, array, offset, length);
            }
        });
        storage.finishRestore();
        numbers.finishRestore();
        rowNumbers.put(number, numbers);
        outcomes.values().forEach(row -> OutcomeRows.restore(runtime, row));
        outcomeRows.put(number, outcomes.size());
        return report;
    }

    /** Generation and terms of the copy by the partition's checkpoint; null if it has none. After {@link #load}. */
    public CopyRow.@Nullable Content copy(int partition) {
        return restoredCopies.get(partition);
    }

    /** Begins to take checkpoints; everything is loaded. */
    public void start(
            PartitionRuntimes runtimes,
            List<PartitionLog> logs,
            CheckpointSource catalog,
            OperationLog operationLog,
            RecoveryFigures recovered,
            Clock clock) {
        log = operationLog;
        List<CheckpointSource> sources = new ArrayList<>();
        sources.add(catalog);
        LogCut cut = new LogCut(runtimes, logs);
        for (PartitionRuntime runtime : runtimes.all()) {
            int number = runtime.partition().id().number();
            int restored = outcomeRows.getOrDefault(number, 0);
            RowNumberRows numbers = rowNumbers.computeIfAbsent(number, absent -> new RowNumberRows(runtime.storage()));
            DecisionRows decisions = new DecisionRows(runtime.decisions(), decisionRows.getOrDefault(number, 0));
            CopyRow copy = new CopyRow(logs.get(number)::copy, restoredCopies.get(number));
            copies.put(number, copy);
            BoundsRow buckets = new BoundsRow(runtime.storage(), bounds.get(number));
            CheckpointCompanion companion =
                    new Companions(List.of(buckets, new OutcomeRows(runtime, restored), numbers, decisions, copy));
            sources.add(new PartitionCheckpointSource(runtime.partition(), runtime.storage(), cut, companion));
        }
        Checkpointer made = new Checkpointer(
                store,
                sources,
                recovered.calibrated(environment.policy(), store.storedBytes()),
                new Pressure(runtimes, operationLog, recovered),
                clock,
                new Listener(operationLog));
        checkpointer = made;
        AgentRunner started = environment.runners().apply(made);
        runner = started;
        made.wakeWith(started::wakeUp);
        started.start();
    }

    @Override
    public void began(int partition, long sequence) {
        staleRounds.put(partition, 2); // the round under way, and the one before it
        OperationLog opened = log;
        if (opened != null) {
            opened.restart(partition, sequence);
        }
    }

    @Override
    public boolean holds(int partition, long life) {
        CopyRow copy = copies.get(partition);
        return copy != null && copy.heldLife() == life;
    }

    @Override
    public void endIfInVain(int partition) {
        FulmarException cause = taking().failure();
        if (cause != null && hasEnded.compareAndSet(false, true)) {
            environment
                    .failed()
                    .accept(new FulmarException(
                            cause.code(),
                            "the copy of partition " + partition + " that was built here waits for a checkpoint, but "
                                    + cause.getMessage(),
                            cause));
        }
    }

    /** Asks for a checkpoint now. For any thread. */
    @Override
    public void request() {
        taking().request();
    }

    /** Size of a partition's checkpoint log at which its oldest part is written back. */
    public long clogBytes() {
        return environment.checkpoints().clogBytes();
    }

    /** Whether checkpoints are taken yet. */
    public boolean isTaking() {
        return checkpointer != null;
    }

    /** Counters of the checkpoints that this process has taken. */
    public CheckpointCounters counters() {
        return taking().counters();
    }

    /** The one that takes them; only once {@link #isTaking}. */
    public Checkpointer checkpointer() {
        return taking();
    }

    /** Up to where the checkpoint of each stream goes that a restart would load now. */
    public SortedMap<Integer, CheckpointPosition> newestPositions() {
        return store.positions();
    }

    /** Files that a backup of the checkpoints needs. */
    public List<String> files() throws IOException {
        return store.files();
    }

    /** Where they are. */
    public String directory() {
        return store.settings().directory();
    }

    /** How long a restart would take to load and replay, by the speeds measured at the last one. */
    public double restartNanos() {
        Checkpointer made = taking();
        return made.policy().restartNanos(counters().storedBytes(), made.replayBytesSinceRound());
    }

    private Checkpointer taking() {
        Checkpointer made = checkpointer;
        if (made == null) {
            throw Invariants.breach("checkpoints are started before they are used");
        }
        return made;
    }

    /** Takes no more. After the sites ended, before the log ends. */
    public void stop() {
        AgentRunner started = runner;
        if (started != null) {
            started.close();
        }
        store.close();
    }

    /** Accumulated log and changed rows, in bytes, by which checkpoints become due. */
    private record Pressure(PartitionRuntimes runtimes, OperationLog log, RecoveryFigures recovered)
            implements CheckpointPressure {
        @Override
        public long logBytes() {
            return recovered.replayedBytes() + log.counters().recordBytes();
        }

        @Override
        public long replayBytes() {
            return RecoveryFigures.replayCost(
                    logBytes(), recovered.transactions() + log.counters().records());
        }

        @Override
        public long dirtyBytes() {
            long bytes = 0;
            for (PartitionRuntime runtime : runtimes.all()) {
                bytes += runtime.storage().marks().markedBytes();
            }
            return bytes;
        }

        @Override
        public long goneBytes() {
            long bytes = 0;
            for (PartitionRuntime runtime : runtimes.all()) {
                bytes += runtime.storage().marks().goneBytes();
            }
            return bytes;
        }

        @Override
        public boolean logIsFull() {
            return log.shortage() != null;
        }
    }

    private final class Listener implements CheckpointListener {
        private final OperationLog log;

        /** By stream, up to where the log was released that goes on since; for the checkpointer's thread. */
        private final Map<Integer, Long> releasedEnds = new HashMap<>();

        Listener(OperationLog log) {
            this.log = log;
        }

        @Override
        public void published(int partition, CheckpointPosition position) {
            CopyRow copy = copies.get(partition);
            if (copy != null) {
                copy.published();
            }
        }

        @Override
        public void released(int partition, CheckpointPosition position) {
            if (staleRounds.containsKey(partition)) {
                staleRounds.computeIfPresent(partition, (stream, rounds) -> rounds > 1 ? rounds - 1 : null);
                releasedEnds.remove(partition);
                return;
            }
            if (partition != CatalogRecord.STREAM) {
                Long before = releasedEnds.put(partition, position.sequence());
                Invariants.check(
                        before == null || before <= position.sequence(), "a checkpoint never goes back in its log");
            }
            log.release(partition, position.sequence());
        }

        @Override
        public void failed(FulmarException cause) {
            environment.progress().accept("no more checkpoints: " + cause.getMessage());
        }
    }
}
