package dev.fulmar.coordinator.durability.backup;

import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.durability.catalog.CatalogHistory;
import dev.fulmar.coordinator.durability.checkpoint.Checkpoints;
import dev.fulmar.coordinator.durability.environment.DurabilityEnvironment;
import dev.fulmar.coordinator.durability.environment.RecoveryFigures;
import dev.fulmar.coordinator.durability.log.CatalogRecord;
import dev.fulmar.coordinator.durability.recovery.Recovery;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.procedure.loading.LoadingLimits;
import dev.fulmar.engine.procedure.loading.ProcedureLoader;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.pmemlog.checkpoint.CheckpointListener;
import dev.fulmar.pmemlog.checkpoint.CheckpointPolicy;
import dev.fulmar.pmemlog.checkpoint.CheckpointPosition;
import dev.fulmar.pmemlog.checkpoint.CheckpointPressure;
import dev.fulmar.pmemlog.checkpoint.CheckpointSettings;
import dev.fulmar.pmemlog.checkpoint.CheckpointSource;
import dev.fulmar.pmemlog.checkpoint.CheckpointStore;
import dev.fulmar.pmemlog.checkpoint.Checkpointer;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import dev.fulmar.pmemlog.recovery.LogReader;
import dev.fulmar.pmemlog.recovery.LogScan;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Restores a backup into a new database, offline. It recovers the backup with as many partitions as it had and up to a
 * timestamp, and deals the rows out by the new plan. They are written as the first checkpoint of the new database,
 * whose log is empty.
 */
public final class Restoration {
    private static final CheckpointPolicy ON_REQUEST =
            new CheckpointPolicy(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    private final DurabilityEnvironment from;
    private final Target target;
    private final long upTo;
    private final Clock clock;
    private final RandomSource random;

    /**
     * Place of the new database.
     *
     * @param storage an empty one
     * @param bucketsPartition buckets of a partition
     * @param samePlaces whether every key stays on its partition, and with it what is remembered of requests
     */
    public record Target(
            Storage storage,
            CheckpointSettings settings,
            PartitionPlan plan,
            int bucketsPartition,
            boolean samePlaces) {}

    /**
     * Result of a restoration.
     *
     * @param timestamp of the last commit in it, or above
     * @param rows of tables, those of replicated ones once for each partition
     */
    public record Report(long timestamp, long rows, long transactions) {}

    /**
     * @param from the backup; nothing in it is changed
     * @param upTo commits with a greater timestamp are left out
     */
    public Restoration(DurabilityEnvironment from, Target target, long upTo, Clock clock, RandomSource random) {
        this.from = from;
        this.target = target;
        this.upTo = upTo;
        this.clock = clock;
        this.random = random;
    }

    /** Restores by way of the partitions, which are empty and as many as the backup has. */
    public Report run(
            PartitionRuntimes runtimes, SqlFrontend sql, ProcedureLoader loader, LoadingLimits limits, int threads) {
        long begin = clock.monotonicNanos();
        LogScan scan = LogReader.scan(from.storage(), from.settings().directory());
        scan.check();
        if (from.storage() instanceof RestoreView view) {
            view.checkReach(scan);
        }
        Checkpoints found = Checkpoints.openToRead(from);
        for (CheckpointPosition position : found.newestPositions().values()) {
            if (position.commitTimestamp() > upTo) {
                throw new FulmarException(
                        ErrorCode.INVALID_CONFIGURATION,
                        "the backup cannot show the time asked for: its earliest state is that of timestamp "
                                + position.commitTimestamp() + ", later than " + upTo + "; use an earlier backup");
            }
        }
        RecoveryFigures figures = new RecoveryFigures();
        Recovery.Result result = new Recovery(from, scan, found, runtimes, clock, figures, upTo, false)
                .run(sql, loader, limits, threads, begin);
        long last = result.catalog().lastTimestamp();
        for (PartitionRuntime runtime : runtimes.all()) {
            last = Math.max(last, runtime.partition().timestamps().last());
        }
        from.progress().accept("restore: writing the checkpoint of the new database");
        long rows = write(runtimes, result.catalog(), last);
        return new Report(last, rows, figures.transactions());
    }

    /**
     * The plan that rows are dealt out by. Where keys stay on their partitions it is that of the moment which is
     * restored; otherwise the target's, which then becomes the newest of the catalog.
     */
    private PartitionPlan settledPlan(CatalogHistory catalog) {
        PartitionPlan changed = catalog.catalog().plan();
        if (changed == null) {
            return target.plan();
        }
        if (!target.samePlaces()) {
            catalog.add(
                    Math.toIntExact(catalog.catalog().version() + 1), new CatalogEntry.Plan(target.plan(), List.of()));
            return target.plan();
        }
        return changed;
    }

    private long write(PartitionRuntimes runtimes, CatalogHistory catalog, long timestamp) {
        PartitionPlan plan = settledPlan(catalog);
        CheckpointPosition position = new CheckpointPosition(
                0, 0, timestamp, Math.toIntExact(catalog.catalog().version()));
        Collection<Table> tables = catalog.catalog().tables().values();
        List<CheckpointSource> sources = new ArrayList<>();
        List<RestoredPartition> partitions = new ArrayList<>();
        sources.add(new RestoredCatalog(catalog.changes(), timestamp));
        for (int number = 0; number < target.plan().partitionCount(); number++) {
            List<PartitionRuntime> memories =
                    target.samePlaces() ? List.of(runtimes.all().get(number)) : runtimes.all();
            partitions.add(new RestoredPartition(
                    number,
                    plan,
                    target.plan().bucketsOf(number, target.bucketsPartition()),
                    position,
                    tables,
                    runtimes.all(),
                    memories));
        }
        sources.addAll(partitions);
        try (CheckpointStore store =
                CheckpointStore.open(target.storage(), target.settings(), random.split("restored"))) {
            for (CheckpointSource source : sources) {
                store.load(source.partition(), (table, bucket, row, array, offset, length) -> {
                    throw Invariants.breach("a new database is empty");
                });
            }
            Outcome outcome = new Outcome();
            Checkpointer checkpointer = new Checkpointer(store, sources, ON_REQUEST, outcome, clock, outcome);
            checkpointer.request();
            int work = 1;
            while (work > 0) {
                work = checkpointer.doWork();
            }
            FulmarException failure = checkpointer.failure();
            failure = failure != null ? failure : checkpointer.shortage();
            if (failure != null) {
                throw failure;
            }
            Invariants.check(checkpointer.counters().rounds() == 1, "a restored database has a checkpoint");
        }
        return partitions.stream().mapToLong(RestoredPartition::rows).sum();
    }

    /** The changes of the catalog, for the new database's checkpoint. */
    private record RestoredCatalog(List<byte[]> changes, long timestamp) implements CheckpointSource {
        @Override
        public int partition() {
            return CatalogRecord.STREAM;
        }

        @Override
        public void request(RowBatch batch) {
            batch.at(new CheckpointPosition(0, 0, timestamp, 0));
            for (int number = 0; number < changes.size(); number++) {
                byte[] change = changes.get(number);
                batch.add(0, 0, number, change, 0, change.length);
            }
            batch.complete(true);
        }

        @Override
        public boolean isDurable(CheckpointPosition position) {
            return true;
        }
    }

    /** Nothing presses, and the end is seen by the checkpointer itself. */
    private static final class Outcome implements CheckpointPressure, CheckpointListener {
        @Override
        public long logBytes() {
            return 0;
        }

        @Override
        public long dirtyBytes() {
            return 0;
        }

        @Override
        public void published(int partition, CheckpointPosition position) {}

        @Override
        public void released(int partition, CheckpointPosition position) {}

        @Override
        public void failed(FulmarException cause) {}
    }
}
