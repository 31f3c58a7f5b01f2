package dev.fulmar.coordinator.change;

import dev.fulmar.coordinator.transaction.HistoryTransfer;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.execution.RowVerification;
import dev.fulmar.engine.execution.ViewFilling;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.table.BucketExtraction;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Part of the {@link CatalogTransaction} on one partition: executes a {@link StorageStep} there, and undoes it if the
 * transaction aborts. A drop or a hand-off, which cannot be undone, happens at the commit. A partition whose storage
 * has that version already, by its log, is left alone.
 *
 * @param version of the catalog to which it leads
 */
record StorageStepWork(PartitionRuntimes runtimes, int statement, long version, StorageStep step)
        implements FragmentWork {
    private boolean isDone(Partition partition) {
        PartitionRuntime runtime = runtimes.of(partition.id());
        return runtime.storageVersion() >= version;
    }

    @Override
    public FragmentResult run(Partition partition) {
        if (isDone(partition)) {
            return FragmentResult.changed(0);
        }
        PartitionStorage storage = storage(partition);
        switch (step) {
            case StorageStep.CreateTable create -> storage.createTable(create.table());
            case StorageStep.CreateIndex create -> createIndex(create, storage);
            case StorageStep.VerifyReference verify ->
                verify.reference().verification(storage).verify();
            case StorageStep.VerifyAlike verify ->
                verify.reference().verification(storage).verifyAlike();
            case StorageStep.ConvertTable convert -> convert.convert(storage);
            case StorageStep.SpreadSequence spread ->
                spread.make(storage, plan(partition), partition.id().number());
            case StorageStep.FillView fill -> ViewFilling.fill(storage, fill.sources(), fill.view());
            case StorageStep.VerifyNotNull verify ->
                RowVerification.ofNotNull(storage, verify.table(), verify.column())
                        .verify();
            case StorageStep.RedefineTable redefine -> {}
            case StorageStep.VerifyEmpty verify -> verifyEmpty(verify, storage);
            case StorageStep.VerifyCheck verify ->
                RowVerification.of(storage, verify.table(), verify.check()).verify();
            case StorageStep.RebuildEmptyTable rebuild -> {
                if (storage.table(rebuild.before().id()).rowCount() > 0) {
                    throw new FulmarException(
                            ErrorCode.NOT_SUPPORTED,
                            "table " + rebuild.before().name() + " has rows; ALTER TABLE "
                                    + rebuild.before().name() + " PARTITION ON COLUMN places them anew");
                }
                storage.replaceEmptyTable(rebuild.after());
            }
            case StorageStep.HandOver(HandOff handOff) -> check(handOff, partition);
            case StorageStep.CompareSeen compare -> compare(compare, partition);
            case StorageStep.ChangeRows change -> change(change, partition);
            case StorageStep.AddRows add -> undoing(partition, () -> add(add, partition));
            case StorageStep.DropTable drop -> {}
            case StorageStep.DropIndex drop -> {}
        }
        return FragmentResult.changed(0);
    }

    /** Finds out whether the rows can be changed so; they are at the commit, which logs the change and no rows. */
    private void add(StorageStep.AddRows add, Partition partition) {
        add.add(storage(partition), plan(partition), partition.id().number());
    }

    /** The change counts: no limit stops what was tried out a moment before. */
    private void addForGood(StorageStep.AddRows add, Partition partition, long commitTimestamp) {
        PartitionStorage storage = storage(partition);
        storage.beginRecovery();
        try {
            add(add, partition);
        } finally {
            storage.endRecovery();
        }
        storage.undoLog().commit(commitTimestamp);
    }

    private void change(StorageStep.ChangeRows change, Partition partition) {
        PartitionStorage storage = storage(partition);
        storage.holdToMark(true);
        try {
            change.change(storage, plan(partition), partition);
        } finally {
            storage.holdToMark(false);
        }
    }

    private void compare(StorageStep.CompareSeen compare, Partition partition) {
        PartitionRuntime runtime = runtimes.of(partition.id());
        if (runtime.mayLackRows()) {
            throw new FulmarException(
                    ErrorCode.SERIALIZATION_FAILURE,
                    "keys move to partition " + partition.id() + "; run the transaction again from BEGIN on");
        }
        undoing(partition, () -> compare.statements().forEach(each -> each.compare(runtime, plan(partition))));
    }

    /** Nothing stays of what the work changes. */
    private void undoing(Partition partition, Runnable work) {
        PartitionStorage storage = storage(partition);
        long mark = storage.undoLog().mark();
        storage.holdToMark(true);
        try {
            work.run();
        } finally {
            storage.holdToMark(false);
            storage.undoLog().rollbackTo(mark);
        }
    }

    private PartitionPlan plan(Partition partition) {
        PartitionRuntime runtime = runtimes.of(partition.id());
        return runtime.program().plan();
    }

    private void check(HandOff handOff, Partition partition) {
        PartitionRuntime runtime = runtimes.of(partition.id());
        int number = partition.id().number();
        runtime.storage().moves().check(handOff, number, runtime.program().plan());
        if (handOff.from() != number) {
            return;
        }
        if (new HistoryTransfer(runtime).commits() != expectedCommits(handOff, runtime)) {
            throw new FulmarException(
                    ErrorCode.SERVER_BUSY,
                    "move " + handOff.move() + " cannot be handed over yet: requests have committed since their"
                            + " outcomes were sent");
        }
        if (runtime.keyedCalls().isOneOpen(handOff.ranges())) {
            throw new FulmarException(
                    ErrorCode.SERVER_BUSY,
                    "move " + handOff.move() + " cannot be handed over yet: transactions over several partitions are"
                            + " under way for calls on its keys");
        }
    }

    private static void verifyEmpty(StorageStep.VerifyEmpty verify, PartitionStorage storage) {
        if (storage.table(verify.table().id()).rowCount() > 0) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED, "table " + verify.table().name() + " has rows, and " + verify.reason());
        }
    }

    private static long expectedCommits(HandOff handOff, PartitionRuntime runtime) {
        BucketExtraction extraction = runtime.storage().moves().extraction(handOff.move());
        return handOff.commits() == HandOff.NOTED && extraction != null ? extraction.notedCommits() : handOff.commits();
    }

    private static void createIndex(StorageStep.CreateIndex create, PartitionStorage storage) {
        if (create.reference().isPresent()) {
            create.reference().get().verification(storage).createIndex(create.index());
        } else {
            storage.createIndex(create.table(), create.index());
        }
    }

    @Override
    public boolean actsAtCommit() {
        return true;
    }

    @Override
    public void committed(Partition partition, long commitTimestamp) {
        if (isDone(partition)) {
            return;
        }
        switch (step) {
            case StorageStep.DropTable drop -> retire(partition, drop.table().id());
            case StorageStep.DropIndex drop -> {
                storage(partition).retireIndex(drop.table(), drop.index().id());
                runtimes.of(partition.id()).freeSlowly();
            }
            case StorageStep.HandOver handOver -> {
                handOver.commit(storage(partition), partition.id().number(), commitTimestamp);
                runtimes.of(partition.id()).freeSlowly();
            }
            case StorageStep.CreateTable create -> {}
            case StorageStep.CreateIndex create -> {}
            case StorageStep.FillView fill -> {}
            case StorageStep.RebuildEmptyTable rebuild -> {}
            case StorageStep.VerifyEmpty verify -> {}
            case StorageStep.VerifyCheck verify -> {}
            case StorageStep.VerifyReference verify -> {}
            case StorageStep.VerifyAlike verify -> {}
            case StorageStep.VerifyNotNull verify -> {}
            case StorageStep.RedefineTable redefine -> storage(partition).redefineTable(redefine.after());
            case StorageStep.CompareSeen compare -> {}
            case StorageStep.ChangeRows change -> {}
            case StorageStep.AddRows add -> {
                addForGood(add, partition, commitTimestamp);
            }
            case StorageStep.ConvertTable convert ->
                retire(partition, convert.before().id());
            case StorageStep.SpreadSequence spread ->
                retire(partition, spread.before().id());
        }
    }

    @Override
    public void undone(Partition partition) {
        if (isDone(partition)) {
            return;
        }
        switch (step) {
            case StorageStep.CreateTable create ->
                storage(partition).dropTable(create.table().id());
            case StorageStep.CreateIndex create ->
                storage(partition)
                        .dropIndex(create.withoutIndex(), create.index().id());
            case StorageStep.FillView fill ->
                storage(partition).dropTable(fill.view().id());
            case StorageStep.RebuildEmptyTable rebuild -> storage(partition).replaceEmptyTable(rebuild.before());
            case StorageStep.HandOver handOver -> {}
            case StorageStep.CompareSeen compare -> {}
            case StorageStep.ChangeRows change -> {}
            case StorageStep.AddRows add -> {}
            case StorageStep.DropTable drop -> {}
            case StorageStep.DropIndex drop -> {}
            case StorageStep.VerifyEmpty verify -> {}
            case StorageStep.VerifyCheck verify -> {}
            case StorageStep.VerifyReference verify -> {}
            case StorageStep.VerifyAlike verify -> {}
            case StorageStep.VerifyNotNull verify -> {}
            case StorageStep.RedefineTable redefine -> {}
            case StorageStep.ConvertTable convert ->
                storage(partition).dropTable(convert.after().id());
            case StorageStep.SpreadSequence spread ->
                storage(partition).dropTable(spread.after().id());
        }
    }

    /** Retires a table and frees its rows in slices, since other transactions wait now. */
    private void retire(Partition partition, int tableId) {
        storage(partition).retireTable(tableId);
        runtimes.of(partition.id()).freeSlowly();
    }

    private PartitionStorage storage(Partition partition) {
        PartitionRuntime runtime = runtimes.of(partition.id());
        return runtime.storage();
    }
}
