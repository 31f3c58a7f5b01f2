package dev.fulmar.coordinator.durability.recovery;

import dev.fulmar.coordinator.durability.catalog.CatalogHistory;
import dev.fulmar.coordinator.durability.catalog.LoadedEditions;
import dev.fulmar.coordinator.durability.checkpoint.Checkpoints;
import dev.fulmar.coordinator.durability.environment.DurabilityEnvironment;
import dev.fulmar.coordinator.durability.environment.RecoveryFigures;
import dev.fulmar.coordinator.durability.log.CatalogRecord;
import dev.fulmar.coordinator.durability.log.LogPayload;
import dev.fulmar.coordinator.request.OutcomeBytes;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.InDoubtPart;
import dev.fulmar.coordinator.transaction.KeptDecision;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partition.RequestOutcome;
import dev.fulmar.engine.procedure.loading.LoadingLimits;
import dev.fulmar.engine.procedure.loading.ProcedureLoader;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.pmemlog.checkpoint.LoadReport;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.recovery.LogScan;
import dev.fulmar.pmemlog.recovery.LogVerdict;
import dev.fulmar.pmemlog.segment.SegmentNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** Recovers the partitions of a database from checkpoints and log. Called once, before anything runs. */
public final class Recovery {
    /** Decision on a part that was in doubt, which the partition's stream does not have yet. */
    public record Resolved(
            int partition, TransactionId transaction, int attempt, boolean commit, long commitTimestamp) {}

    /**
     * Result of a recovery.
     *
     * @param program of the newest version
     * @param toWrite decisions that must be written before anything else
     * @param doubtful parts whose base partition must be asked
     * @param decisions decisions that others may ask for
     * @param catalog the changes of the catalog
     */
    public record Result(
            Program program,
            List<Resolved> toWrite,
            List<InDoubtPart> doubtful,
            List<KeptDecision> decisions,
            CatalogHistory catalog) {
        public Result {
            toWrite = List.copyOf(toWrite);
            doubtful = List.copyOf(doubtful);
            decisions = List.copyOf(decisions);
        }
    }

    private final DurabilityEnvironment environment;
    private final LogScan scan;
    private final Checkpoints checkpoints;
    private final PartitionRuntimes runtimes;
    private final Clock clock;
    private final RecoveryFigures figures;
    private final long upTo;
    private final boolean asksBase;
    private final List<PartitionReplay> replays = new ArrayList<>();
    private boolean isFinal = true;
    private long keptBytes;

    /**
     * @param asksBase whether what is in doubt is to be asked for at its base partition, which may be another node's,
     *     where it has one
     */
    public Recovery(
            DurabilityEnvironment environment,
            LogScan scan,
            Checkpoints checkpoints,
            PartitionRuntimes runtimes,
            Clock clock,
            RecoveryFigures figures,
            long upTo,
            boolean asksBase) {
        this.asksBase = asksBase;
        this.environment = environment;
        this.scan = scan;
        this.checkpoints = checkpoints;
        this.runtimes = runtimes;
        this.clock = clock;
        this.figures = figures;
        this.upTo = upTo;
    }

    /**
     * Leaves parts in doubt, and lets no partition go on by itself, for their copies on other nodes have a say.
     *
     * @param newKeptBytes of the newest records of each partition, which are kept for those copies
     */
    public Recovery unfinished(long newKeptBytes) {
        isFinal = false;
        keptBytes = newKeptBytes;
        return this;
    }

    /** Of the partitions; they can go on. */
    public List<PartitionReplay> replays() {
        return replays;
    }

    /**
     * @param threads how many streams to read at once
     * @param begin when the log's verification began, by the monotonic clock
     */
    public Result run(SqlFrontend sql, ProcedureLoader loader, LoadingLimits limits, int threads, long begin) {
        List<PartitionStorage> storages =
                runtimes.all().stream().map(PartitionRuntime::storage).toList();
        storages.forEach(PartitionStorage::beginRecovery);
        try {
            return recover(sql, loader, limits, threads, begin);
        } finally {
            storages.forEach(PartitionStorage::endRecovery);
        }
    }

    private Result recover(SqlFrontend sql, ProcedureLoader loader, LoadingLimits limits, int threads, long begin) {
        tellVerdict();
        refuseUnknownStreams();
        checkpoints.check(scan, runtimes.count());
        CatalogHistory history = CatalogHistory.read(checkpoints, scan, sql, limits, upTo);
        LoadedEditions editions = new LoadedEditions(history, loader);
        long newest = history.catalog().version();
        runtimes.all().forEach(runtime -> replays.add(new PartitionReplay(runtime, history, editions, upTo)));
        if (!isFinal) {
            replays.forEach(replay -> replay.keepNewest(keptBytes));
        }
        loadCheckpoints(threads, () -> editions.prepare(newest));
        figures.begin(RecoveryFigures.Phase.REPLAYING);
        long replayBegin = clock.monotonicNanos();
        RecoveryProgress progress = new RecoveryProgress(clock, environment.progress(), figures, scan);
        List<Runnable> tasks = new ArrayList<>();
        int tasksWanted = Math.max(1, Math.min(threads, replays.size()));
        int[] taskOf = StreamAssignment.deal(recordsToReplay(), tasksWanted);
        for (int task = 0; task < tasksWanted; task++) {
            int number = task;
            tasks.add(() -> replay(number, taskOf, progress));
        }
        environment.parallel().accept(tasks);
        long replayed = replays.stream().collect(Collectors.summingLong(PartitionReplay::logBytes));
        figures.replayEnded(replayed, clock.monotonicNanos() - replayBegin);
        if (isFinal) {
            refuseUnfinishedCopies();
        }
        List<InDoubtPart> doubtful = isFinal && asksBase ? doubtful() : List.of();
        List<Resolved> resolved = isFinal ? resolve() : List.of();
        if (isFinal) {
            replays.forEach(PartitionReplay::finish);
        }
        replays.forEach(this::handOver);
        Program first = runtimes.all().getFirst().program();
        Program program = history.isEmpty() ? first : history.program(editions, first.plan());
        if (!history.isEmpty() && isFinal) {
            runtimes.all().forEach(runtime -> runtime.use(program));
        }
        tellEnd(progress, clock.monotonicNanos() - begin);
        List<KeptDecision> decisions = new ArrayList<>();
        replays.forEach(replay -> decisions.addAll(replay.decisions()));
        return new Result(program, resolved, doubtful, decisions, history);
    }

    private void refuseUnfinishedCopies() {
        for (PartitionReplay replay : replays) {
            if (replay.isDiscarded()) {
                throw new FulmarException(
                        ErrorCode.INVALID_CONFIGURATION,
                        "partition " + replay.runtime().partition().id()
                                + " is a copy that was not whole when its node ended; start this node as a member of its"
                                + " cluster, which builds it anew");
            }
        }
    }

    /** @param meanwhile what the replay will need */
    private void loadCheckpoints(int threads, Runnable meanwhile) {
        long begin = clock.monotonicNanos();
        figures.begin(RecoveryFigures.Phase.LOADING);
        List<Runnable> tasks = new ArrayList<>(List.of(meanwhile));
        int count = Math.max(1, Math.min(threads, replays.size()));
        AtomicInteger next = new AtomicInteger();
        AtomicLong loadedNanos = new AtomicLong(begin); // what is done meanwhile may take longer
        for (int task = 0; task < count; task++) {
            tasks.add(() -> {
                for (int partition = next.getAndIncrement();
                        partition < replays.size();
                        partition = next.getAndIncrement()) {
                    LoadReport report = replays.get(partition).load(checkpoints);
                    figures.loaded(report.rows(), report.imageBytes());
                    loadedNanos.accumulateAndGet(clock.monotonicNanos(), Math::max);
                }
            });
        }
        environment.parallel().accept(tasks);
        figures.loadEnded(loadedNanos.get() - begin);
        if (figures.loadedRows() > 0) {
            environment
                    .progress()
                    .accept(String.format(
                            Locale.ROOT,
                            "recovery: %d rows, %.1f MB, from checkpoints in %.2f s",
                            figures.loadedRows(),
                            figures.loadedBytes() / 1e6,
                            figures.loadNanos() / 1e9));
        }
    }

    private void tellVerdict() {
        if (scan.verdict() instanceof LogVerdict.Cut cut) {
            environment.progress().accept("recovery: the log was " + cut);
        }
        scan.remarks().forEach(remark -> environment.progress().accept("recovery: " + remark));
    }

    private void refuseUnknownStreams() {
        for (int stream : scan.streams().keySet()) {
            if (stream != CatalogRecord.STREAM && (stream < 0 || stream >= runtimes.count())) {
                throw new FulmarException(
                        ErrorCode.INVALID_CONFIGURATION,
                        "the log has commits of partition " + stream + " but the database is to have "
                                + runtimes.count() + " partitions; start it with as many as it had");
            }
        }
    }

    /** Of each partition, how many records the log has after the checkpoint. */
    private long[] recordsToReplay() {
        long[] records = new long[replays.size()];
        scan.streams().forEach((stream, summary) -> {
            if (stream >= 0) {
                records[stream] =
                        summary.lastSequence() - checkpoints.position(stream).sequence();
            }
        });
        return records;
    }

    /** Reads the log once for the partitions that are the task's. */
    private void replay(int number, int[] taskOf, RecoveryProgress progress) {
        scan.replay(stream -> stream >= 0 && taskOf[stream] == number, (record, segment, offset) -> {
            try {
                replays.get(record.stream()).record(record, segment, offset);
            } catch (FulmarException e) {
                throw new FulmarException(
                        e.code(),
                        "cannot recover partition " + record.stream() + " from "
                                + SegmentNames.segment(scan.directory(), segment) + " at offset " + offset + ": "
                                + e.getMessage(),
                        e);
            }
            if (number == 0) {
                progress.passed(segment, offset);
            }
        });
    }

    /** The parts that only their base partition knows of. */
    private List<InDoubtPart> doubtful() {
        List<InDoubtPart> parts = new ArrayList<>();
        for (PartitionReplay replay : replays) {
            PartitionReplay.Prepared part = replay.inDoubt();
            PartitionId base = part == null ? null : part.base();
            if (part != null && base != null) {
                parts.add(new InDoubtPart(
                        replay.runtime().partition().id(),
                        part.transaction(),
                        part.attempt(),
                        base,
                        part.proposal(),
                        replay.partInDoubt(part)));
            }
        }
        return parts;
    }

    /** A part in doubt is committed if any participant's stream says so. */
    private List<Resolved> resolve() {
        Map<Integer, PartitionReplay.Prepared> inDoubt = new TreeMap<>();
        for (int partition = 0; partition < replays.size(); partition++) {
            PartitionReplay.Prepared part = replays.get(partition).inDoubt();
            if (part != null && !(asksBase && part.base() != null)) {
                inDoubt.put(partition, part);
            }
        }
        if (inDoubt.isEmpty()) {
            return List.of();
        }
        Map<Integer, Long> decided = decisions(inDoubt);
        List<Resolved> resolved = new ArrayList<>();
        inDoubt.forEach((partition, part) -> {
            Long timestamp = decided.get(partition);
            if (timestamp != null) {
                replays.get(partition).commitInDoubt(timestamp);
            }
            resolved.add(new Resolved(
                    partition,
                    part.transaction(),
                    part.attempt(),
                    timestamp != null,
                    timestamp == null ? 0 : timestamp));
            environment
                    .progress()
                    .accept("recovery: transaction " + part.transaction() + " was in doubt on partition " + partition
                            + " and is " + (timestamp != null ? "committed" : "undone"));
        });
        return resolved;
    }

    /** Commit timestamps of the parts, by partition, that some stream says are committed. */
    private Map<Integer, Long> decisions(Map<Integer, PartitionReplay.Prepared> inDoubt) {
        Map<Integer, Long> decided = new TreeMap<>();
        scan.replay(stream -> stream >= 0, (record, segment, offset) -> {
            if (record.kind() != RecordKind.DECISION) {
                return;
            }
            int begin = record.payloadOffset();
            LogPayload payload = LogPayload.readTransaction(record.array(), begin, begin + record.payloadBytes());
            if (payload.commit() && record.commitTimestamp() <= upTo) {
                inDoubt.forEach((partition, part) -> {
                    boolean same =
                            part.transaction().equals(payload.transaction()) && part.attempt() == payload.attempt();
                    if (same && part.isBefore(segment, offset)) {
                        decided.put(partition, record.commitTimestamp());
                    }
                });
            }
        });
        return decided;
    }

    private void handOver(PartitionReplay replay) {
        for (RequestOutcome outcome : replay.foreignOutcomes()) {
            runtimes.of(new PartitionId(outcome.home()))
                    .remember(outcome.clientId(), outcome.requestId(), OutcomeBytes.read(outcome.outcome()));
        }
    }

    private void tellMemory() {
        MemoryBudget memory = runtimes.all().getFirst().storage().budget();
        if (memory.usedBytes() > memory.limitBytes()) {
            environment
                    .progress()
                    .accept("recovery: the data takes " + memory.usedBytes() + " bytes of memory, but the limit is "
                            + memory.limitBytes() + ": what needs more is refused; raise the limit and start again");
        }
    }

    private void tellEnd(RecoveryProgress progress, long nanos) {
        long transactions = replays.stream().collect(Collectors.summingLong(PartitionReplay::transactions));
        long rows = replays.stream().collect(Collectors.summingLong(PartitionReplay::rows));
        figures.end(progress.totalBytes(), transactions, rows, nanos);
        tellMemory();
        if (transactions == 0 && progress.totalBytes() == 0) {
            return;
        }
        environment
                .progress()
                .accept(String.format(
                        Locale.ROOT,
                        "recovery: %d transactions with %d row changes from %.1f MB of log in %.2f s",
                        transactions,
                        rows,
                        progress.totalBytes() / 1e6,
                        nanos / 1e9));
    }
}
