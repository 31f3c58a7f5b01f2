package dev.fulmar.coordinator.change;

import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.execution.TableConversion;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies the rows of a table on all partitions, slice by slice between their transactions, until little is left everywhere. What remains is for the transaction
 * that changes the catalog, for which alone everything waits.
 */
final class SlicedConversion {
    /** Rows that a partition copies in one go: well below a millisecond. */
    private static final int SLICE_ROWS = 200;

    private final List<PartitionRuntime> led;
    private final StorageStep.ConvertTable convert;
    private final Consumer<@Nullable FulmarException> ended;
    private final AtomicInteger unready;
    private final AtomicInteger working;
    private final AtomicReference<@Nullable FulmarException> failure = new AtomicReference<>();

    /**
     * @param led the partitions that are led here; the others do it where their logs say so
     * @param ended called once, with the first error if there was one; what was made stays in either case
     */
    SlicedConversion(
            List<PartitionRuntime> led, StorageStep.ConvertTable convert, Consumer<@Nullable FulmarException> ended) {
        this.led = List.copyOf(led);
        this.convert = convert;
        this.ended = ended;
        unready = new AtomicInteger(led.size());
        working = new AtomicInteger(led.size());
    }

    void start() {
        for (PartitionRuntime runtime : led) {
            Work work = new Work(runtime);
            runtime.partition().inbox().put((PartitionTask)
                    partition -> partition.slices().add(work::run));
        }
    }

    /** Gives up what is not used, before any later change. */
    static void discard(PartitionRuntimes runtimes) {
        for (PartitionRuntime runtime : runtimes.all()) {
            runtime.partition().inbox().put((PartitionTask)
                    partition -> runtime.storage().discardShadow());
        }
    }

    /** One partition's part. */
    private final class Work {
        private final PartitionRuntime runtime;
        private TableConversion.@Nullable Slices slices;
        private boolean isReady;

        Work(PartitionRuntime runtime) {
            this.runtime = runtime;
        }

        /** The next slice; whether that was the last. What a transaction that is under way has changed must not be copied. */
        boolean run() {
            if (failure.get() == null
                    && unready.get() > 0
                    && runtime.partition().isQuiescent()) {
                try {
                    slice();
                } catch (FulmarException e) {
                    failure.compareAndSet(null, e);
                }
            }
            if (failure.get() == null && unready.get() > 0) {
                return false;
            }
            if (working.decrementAndGet() == 0) {
                ended.accept(failure.get());
            }
            return true;
        }

        private void slice() {
            TableConversion.Slices known = slices;
            if (known == null) {
                known = TableConversion.begin(runtime.storage(), convert.before(), convert.after(), convert.sources());
                slices = known;
            }
            if (known.next(SLICE_ROWS) && !isReady) {
                isReady = true;
                unready.decrementAndGet();
            }
        }
    }
}
