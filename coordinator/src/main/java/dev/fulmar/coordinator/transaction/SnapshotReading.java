package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.execution.PartSize;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.SliceQueue;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.check.Invariants;
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

    /**
     * A question that is to be answered.
     *
     * @param part of the rows that is wanted; null if all are
     */
    private record Wish(@Nullable PartSize part, Result result) {}

    private final Partition partition;
    private final PartitionRuntime runtime;
    private final VersionReader reader;
    private final List<FragmentWork> work;
    private final SnapshotQueries queries;
    private final SliceLimits limits;
    private final List<FragmentResult> results = new ArrayList<>();

    private int position;
    private SnapshotQueries.@Nullable Run run;
    private long newestChange;
    private boolean over;
    private Wish wish;

    /** The part was read, and the next one is not wanted yet. */
    private boolean rests;

    /**
     * @param part of the rows that is wanted, where one fragment is read part by part; null for all rows. A part comes
     *     as one result, or none if no rows are left.
     */
    SnapshotReading(
            Partition partition,
            PartitionRuntime runtime,
            VersionReader reader,
            List<FragmentWork> work,
            SnapshotQueries queries,
            SliceLimits limits,
            @Nullable PartSize part,
            Result result) {
        Invariants.check(part == null || work.size() == 1, "a reader in parts reads one fragment of a partition");
        this.partition = partition;
        this.runtime = runtime;
        this.reader = reader;
        this.work = work;
        this.queries = queries;
        this.limits = limits;
        this.wish = new Wish(part, result);
    }

    /** Whether it reads part by part, so that it may go on when it has answered. */
    boolean isInParts() {
        return wish.part() != null;
    }

    /** Reads the next part. */
    void goOn(PartSize next, Result nextResult) {
        Invariants.check(isInParts(), "only a reader in parts goes on");
        if (!rests && !over) { // it was not told the one before
            cancel();
        }
        wish = new Wish(next, nextResult);
        if (over) {
            nextResult.read(List.of(), position == work.size() ? null : lost());
            return;
        }
        rests = false;
        SnapshotQueries.Run current = run;
        if (current != null) {
            current.want(next);
        }
        begin();
    }

    private FragmentFailure lost() {
        return failure(ErrorCode.SNAPSHOT_TOO_OLD, "the reading of the snapshot has failed; begin it again");
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
        if (over || rests) {
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
            if (rests) {
                wish.result().read(taken(), null);
            } else {
                end(null);
            }
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
                current = start(queries.fragment((StatementWork) work.get(position), runtime, reader.timestamp()));
                run = current;
            }
            if (!current.runOn(leftNanos, limits.rows())) {
                if (current.isPartFull()) {
                    results.add(current.takePart());
                    rests = true;
                }
                return rests;
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

    private SnapshotQueries.Run start(StatementFragment fragment) {
        PartSize wanted = wish.part();
        if (wanted == null) {
            return queries.start(fragment, reader);
        }
        SnapshotQueries.Run begun = queries.startParts(fragment, reader);
        begun.want(wanted);
        return begun;
    }

    private FragmentFailure failure(ErrorCode code, String message) {
        return new FragmentFailure(work.get(position).statement(), code, message);
    }

    private void end(@Nullable FragmentFailure failure) {
        List<FragmentResult> read = taken();
        cancel();
        wish.result().read(read, failure);
    }

    /** The rows leave: one that waits for its next question keeps its place only. */
    private List<FragmentResult> taken() {
        List<FragmentResult> read = List.copyOf(results);
        results.clear();
        return read;
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
