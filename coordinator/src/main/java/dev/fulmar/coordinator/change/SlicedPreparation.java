package dev.fulmar.coordinator.change;

import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.RowVerification;
import dev.fulmar.engine.execution.TableConversion;
import dev.fulmar.engine.execution.ViewFilling;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.engine.partition.SliceQueue;
import dev.fulmar.engine.spi.SliceHaste;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.table.TablePreparation;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Prepares a table's rows for a storage step on all partitions, in slices between their transactions, until little is
 * left everywhere. The remainder is for the transaction that changes the catalog, the only part for which all other
 * transactions wait.
 */
final class SlicedPreparation {
    /** Rows that a partition looks at in one go: well below a millisecond. */
    private static final int SLICE_ROWS = 200;

    private final List<PartitionRuntime> led;
    private final StorageStep step;
    private final long version;
    private final Predicate<PartitionId> leads;
    private final Consumer<@Nullable FulmarException> ended;
    private final AtomicInteger unready;
    private final AtomicBoolean over = new AtomicBoolean();

    /**
     * @param led the partitions that are led here; the others do it where their logs say so
     * @param version of the catalog to which the step leads. A partition whose log has told it so has made the step,
     *     and perhaps later ones
     * @param leads whether the partition is led here still. If not its log tells of its changes, or another node's rows
     *     are loaded without anybody being told: what was begun then would lack them
     * @param ended called once, on a partition's thread, with the first error if there was one; no slice begins
     *     afterwards, and what was made stays
     */
    SlicedPreparation(
            List<PartitionRuntime> led,
            StorageStep step,
            long version,
            Predicate<PartitionId> leads,
            Consumer<@Nullable FulmarException> ended) {
        this.led = List.copyOf(led);
        this.step = step;
        this.version = version;
        this.leads = leads;
        this.ended = ended;
        unready = new AtomicInteger(led.size());
    }

    /** Whether the step works on rows that exist. */
    static boolean isFor(StorageStep step) {
        return switch (step) {
            case StorageStep.ConvertTable _, StorageStep.CreateIndex _, StorageStep.FillView _ -> true;
            case StorageStep.VerifyCheck _, StorageStep.VerifyNotNull _, StorageStep.VerifyReference _ -> true;
            case StorageStep.CreateTable _, StorageStep.DropTable _, StorageStep.RebuildEmptyTable _ -> false;
            case StorageStep.RedefineTable _, StorageStep.DropIndex _, StorageStep.VerifyAlike _ -> false;
            case StorageStep.HandOver _, StorageStep.VerifyEmpty _, StorageStep.AddRows _ -> false;
            case StorageStep.SpreadSequence _, StorageStep.CompareSeen _, StorageStep.ChangeRows _ -> false;
        };
    }

    /**
     * The step that is done in slices; the last one takes longest. Empty if there is none whose tables are there before
     * the other steps.
     */
    static Optional<StorageStep> of(List<StorageStep> steps) {
        return steps.stream()
                .filter(step -> isFor(step) && Collections.disjoint(read(step), made(steps)))
                .reduce((earlier, later) -> later);
    }

    /** The tables whose rows the step reads. */
    private static List<Integer> read(StorageStep step) {
        return switch (step) {
            case StorageStep.ConvertTable convert -> List.of(convert.before().id());
            case StorageStep.CreateIndex create ->
                create.reference()
                        .map(SlicedPreparation::read)
                        .orElse(List.of(create.table().id()));
            case StorageStep.FillView fill ->
                fill.sources().stream().map(Table::id).toList();
            case StorageStep.VerifyReference verify -> read(verify.reference());
            case StorageStep.VerifyAlike verify -> read(verify.reference());
            case StorageStep.VerifyCheck verify -> List.of(verify.table().id());
            case StorageStep.VerifyNotNull verify -> List.of(verify.table().id());
            case StorageStep.CreateTable _, StorageStep.DropTable _, StorageStep.RebuildEmptyTable _ -> List.of();
            case StorageStep.RedefineTable _, StorageStep.DropIndex _ -> List.of();
            case StorageStep.HandOver _, StorageStep.VerifyEmpty _, StorageStep.AddRows _ -> List.of();
            case StorageStep.SpreadSequence _, StorageStep.CompareSeen _, StorageStep.ChangeRows _ -> List.of();
        };
    }

    private static List<Integer> read(StorageStep.NewReference reference) {
        return List.of(reference.table().id(), reference.parent().id());
    }

    /** The tables that the steps make. */
    private static List<Integer> made(List<StorageStep> steps) {
        List<Integer> made = new ArrayList<>();
        for (StorageStep step : steps) {
            switch (step) {
                case StorageStep.CreateTable create -> made.add(create.table().id());
                case StorageStep.ConvertTable convert ->
                    made.add(convert.after().id());
                case StorageStep.FillView fill -> made.add(fill.view().id());
                default -> {}
            }
        }
        return made;
    }

    private static @Nullable TablePreparation begin(PartitionStorage storage, StorageStep step) {
        return switch (step) {
            case StorageStep.ConvertTable convert ->
                TableConversion.begin(storage, convert.before(), convert.after(), convert.sources(), convert.micros());
            case StorageStep.CreateIndex create
            when create.reference().isPresent() ->
                create.reference().get().verification(storage).beginIndex(create.index());
            case StorageStep.CreateIndex create -> storage.beginIndex(create.table(), create.index());
            case StorageStep.FillView fill -> ViewFilling.begin(storage, fill.sources(), fill.view());
            case StorageStep.VerifyReference verify ->
                verify.reference().verification(storage).begin();
            case StorageStep.VerifyCheck verify ->
                RowVerification.of(storage, verify.table(), verify.check()).begin();
            case StorageStep.VerifyNotNull verify ->
                RowVerification.ofNotNull(storage, verify.table(), verify.column())
                        .begin();
            case StorageStep.CreateTable _, StorageStep.DropTable _, StorageStep.RebuildEmptyTable _ -> null;
            case StorageStep.RedefineTable _, StorageStep.DropIndex _, StorageStep.VerifyAlike _ -> null;
            case StorageStep.HandOver _, StorageStep.VerifyEmpty _, StorageStep.AddRows _ -> null;
            case StorageStep.SpreadSequence _, StorageStep.CompareSeen _, StorageStep.ChangeRows _ -> null;
        };
    }

    void start() {
        for (PartitionRuntime runtime : led) {
            Work work = new Work(runtime);
            runtime.partition().inbox().put(new Begin(work));
        }
    }

    /** Begins a partition's part. */
    private record Begin(Work work) implements PartitionTask {
        @Override
        public void run(Partition partition) {
            if (!work.run()) {
                partition.slices().add(work);
            }
        }

        @Override
        public void refused(PartitionId partition) {
            work.stopped();
        }
    }

    private void end(@Nullable FulmarException failure) {
        if (over.compareAndSet(false, true)) {
            ended.accept(failure);
        }
    }

    /** Gives up what is not used, before any later change. */
    static void discard(PartitionRuntimes runtimes) {
        for (PartitionRuntime runtime : runtimes.all()) {
            runtime.partition().inbox().put((PartitionTask)
                    partition -> runtime.storage().discardPreparation());
        }
    }

    /** One partition's part. */
    private final class Work implements SliceQueue.Slice {
        private final PartitionRuntime runtime;
        private @Nullable TablePreparation begun;
        private boolean isReady;

        Work(PartitionRuntime runtime) {
            this.runtime = runtime;
        }

        /**
         * Runs the next slice; returns whether that was the last. A slice must not read the changes of a transaction
         * that is under way.
         */
        @Override
        public boolean run() {
            if (!over.get() && runtime.partition().isQuiescent()) {
                try {
                    slice();
                } catch (FulmarException e) {
                    end(e);
                }
            }
            return over.get();
        }

        @Override
        public void stopped() {
            end(new FulmarException(
                    ErrorCode.NODE_STOPPING,
                    runtime.partition().id()
                            + " stops; nothing was changed, send the statement again after the restart"));
        }

        /** Otherwise it might never end where rows change faster than that. */
        @Override
        public SliceHaste haste() {
            TablePreparation known = begun;
            return known != null && known.isBehind() ? SliceHaste.URGENT : SliceHaste.USUAL;
        }

        private void slice() {
            TablePreparation known = begun;
            if (known == null) {
                PartitionId partition = runtime.partition().id();
                if (!leads.test(partition)) {
                    throw new FulmarException(
                            ErrorCode.TRANSACTION_RESTART, "another node leads partition " + partition + "; try again");
                }
                known = runtime.storageVersion() >= version ? null : begin(runtime.storage(), step);
                begun = known;
            }
            boolean isNearlyOver = known == null || runtime.storage().prepareNext(known, SLICE_ROWS);
            if (isNearlyOver && !isReady) {
                isReady = true;
                if (unready.decrementAndGet() == 0) {
                    end(null);
                }
            }
        }
    }
}
