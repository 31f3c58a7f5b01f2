package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.SliceQueue;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reading of one batch at one partition for a snapshot transaction: fragment after fragment, slice after slice. For
 * the partition's thread.
 */
final class SnapshotReading implements SliceQueue.Slice {
    /** Takes what was read, once. */
    @FunctionalInterface
    interface Result {
        void read(List<FragmentResult> results, @Nullable FragmentFailure failure);
    }

    private final Partition partition;
    private final PartitionRuntime runtime;
    private final VersionReader reader;
    private final List<FragmentWork> work;
    private final SnapshotQueries queries;
    private final SliceLimits limits;
    private final Result result;
    private final List<FragmentResult> results = new ArrayList<>();

    private int position;
    private SnapshotQueries.@Nullable Run run;
    private long newestChange;
    private boolean over;

    SnapshotReading(
            Partition partition,
            PartitionRuntime runtime,
            VersionReader reader,
            List<FragmentWork> work,
            SnapshotQueries queries,
            SliceLimits limits,
            Result result) {
        this.partition = partition;
        this.runtime = runtime;
        this.reader = reader;
        this.work = work;
        this.queries = queries;
        this.limits = limits;
        this.result = result;
    }

    /** Reads the first slice now, and the others when there is time. */
    void begin() {
        newestChange = partition.readers().newestChange();
        if (!run()) {
            partition.slices().add(this);
        }
    }

    @Override
    public boolean run() {
        if (over) {
            return true;
        }
        partition.counters().snapshotSlices.increment();
        if (partition.readers().newestChange() != newestChange) {
            newestChange = partition.readers().newestChange();
            partition.counters().snapshotsOvertaken.increment();
        }
        try {
            if (!readOn()) {
                return false;
            }
            end(null);
        } catch (FulmarException failed) {
            if (failed.code() == ErrorCode.SNAPSHOT_TOO_OLD) {
                partition.counters().snapshotsExpired.increment();
            }
            end(failure(failed.code(), String.valueOf(failed.getMessage())));
        } catch (Throwable defect) { // the transaction must learn of it, and the partition live on
            FatalErrors.handIfClassIsGone(defect);
            end(failure(ErrorCode.INTERNAL, "the reading of a snapshot failed: " + defect));
        }
        return true;
    }

    @Override
    public void stopped() {
        if (!over) {
            end(failure(
                    ErrorCode.NODE_STOPPING,
                    "partition " + partition.id() + " stops; try again on the restarted node"));
        }
    }

    /** One slice ends with the batch, with its share of time, or with its share of rows. */
    private boolean readOn() {
        long startNanos = partition.clock().monotonicNanos();
        long leftNanos = limits.nanos();
        while (position < work.size()) {
            SnapshotQueries.Run current = run;
            if (current == null) {
                current = queries.start(
                        queries.fragment((StatementWork) work.get(position), runtime, reader.timestamp()), reader);
                run = current;
            }
            if (!current.runOn(leftNanos, limits.rows())) {
                return false;
            }
            results.add(current.finish());
            run = null;
            position++;
            leftNanos = limits.nanos() - (partition.clock().monotonicNanos() - startNanos);
            if (leftNanos <= 0 && position < work.size()) {
                return false;
            }
        }
        return true;
    }

    private FragmentFailure failure(ErrorCode code, String message) {
        return new FragmentFailure(work.get(position).statement(), code, message);
    }

    private void end(@Nullable FragmentFailure failure) {
        List<FragmentResult> read = List.copyOf(results);
        cancel();
        result.read(read, failure);
    }

    /** Cancels the reading: the transaction waits for its result no longer. */
    void cancel() {
        over = true;
        SnapshotQueries.Run current = run;
        run = null;
        if (current != null) {
            current.cancel();
        }
    }
}
