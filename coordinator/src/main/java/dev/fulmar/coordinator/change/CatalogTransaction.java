package dev.fulmar.coordinator.change;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.ControlCode;
import dev.fulmar.coordinator.transaction.FragmentDispatch;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.engine.partition.PartitionMessage.PrepareMode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Control code of a catalog change: locks every partition that this node leads, executes the storage steps, and
 * switches to the new version.
 */
final class CatalogTransaction implements ControlCode {
    private final PartitionRuntimes runtimes;
    private final List<PartitionId> partitions;
    private final List<StorageStep> steps;
    private final Program next;
    private final Consumer<Program> takeOver;
    private final CatalogJournal journal;
    private final CatalogEntry entry;

    /** Timestamp that the partitions here have promised; 0 before. */
    private volatile long promisedTimestamp;

    /**
     * @param partitions that are led here
     * @param takeOver called once the change is durable, before a partition runs with it
     */
    CatalogTransaction(
            PartitionRuntimes runtimes,
            List<PartitionId> partitions,
            List<StorageStep> steps,
            Program next,
            Consumer<Program> takeOver,
            CatalogJournal journal,
            CatalogEntry entry) {
        this.journal = journal;
        this.entry = entry;
        this.runtimes = runtimes;
        this.partitions = List.copyOf(partitions);
        this.steps = steps;
        this.next = next;
        this.takeOver = takeOver;
    }

    @Override
    public TransactionResponse run(FragmentDispatch dispatch) {
        dispatch.run(
                everywhere(List.of())); // first all locks, so that no work is done in vain for an older transaction
        List<FragmentWork> work = new ArrayList<>();
        for (StorageStep step : steps) {
            work.add(new StorageStepWork(
                    runtimes, dispatch.nextStatement(), next.catalog().version(), step));
        }
        @Nullable LongSupplier promised = entry.keepsTables() ? () -> promisedTimestamp : null;
        work.add(new ProgramWork(runtimes, dispatch.nextStatement(), next, promised));
        FragmentFailure failure = dispatch.run(everywhere(work)).failure();
        return failure == null ? Answers.CHANGED : new Failed(failure.code(), failure.message());
    }

    private TreeMap<PartitionId, List<FragmentWork>> everywhere(List<FragmentWork> work) {
        TreeMap<PartitionId, List<FragmentWork>> everywhere = new TreeMap<>();
        for (PartitionId partition : partitions) {
            everywhere.put(partition, work);
        }
        return everywhere;
    }

    /** No transaction runs with a catalog that may yet be undone. */
    @Override
    public PrepareMode prepareMode() {
        return PrepareMode.WAIT;
    }

    @Override
    public void committing(long promised, LongConsumer proceed, Consumer<FulmarException> refuse) {
        promisedTimestamp = promised;
        journal.append(
                next.catalog().version(),
                entry,
                partitions,
                promised,
                at -> {
                    takeOver.accept(next);
                    proceed.accept(at);
                },
                refuse);
    }
}
