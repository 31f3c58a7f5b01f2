package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.execution.PartSize;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot transaction's questions to its partitions, asked at once, and their answers. The partitions write, each in
 * its own place, and count down; the transaction's fiber reads what was counted.
 */
final class SnapshotBatch {
    private final PartitionId[] partitions;
    private final List<List<FragmentWork>> work = new ArrayList<>();
    private final long timestamp;
    private final @Nullable PartSize part;
    private final int reading;
    private final Runnable complete;

    private final long[] passed;
    private final @Nullable List<FragmentResult>[] results;
    private final @Nullable FragmentFailure[] failures;

    private volatile boolean isClear = true;
    private final AtomicInteger yetToPass;
    private final AtomicInteger yetToRead;

    /** Questions for all rows. */
    SnapshotBatch(SortedMap<PartitionId, List<FragmentWork>> workByPartition, long timestamp, Runnable complete) {
        this(workByPartition, timestamp, null, 0, complete);
    }

    /**
     * @param timestamp of the state to be read
     * @param part of the rows that is wanted; null for all
     * @param reading number of the reading
     * @param complete called whenever the last partition has passed the timestamp, and when the last one has read
     */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    SnapshotBatch(
            SortedMap<PartitionId, List<FragmentWork>> workByPartition,
            long timestamp,
            @Nullable PartSize part,
            int reading,
            Runnable complete) {
        this.part = part;
        this.reading = reading;
        this.timestamp = timestamp;
        this.complete = complete;
        int count = workByPartition.size();
        partitions = workByPartition.keySet().toArray(PartitionId[]::new);
        work.addAll(workByPartition.values());
        passed = new long[count];
        results = new List[count];
        failures = new FragmentFailure[count];
        yetToPass = new AtomicInteger(count);
        yetToRead = new AtomicInteger(count);
    }

    int size() {
        return partitions.length;
    }

    /** The question to the partition at the place. */
    SnapshotReadRequest question(int place) {
        return new Place(place);
    }

    private final class Place implements SnapshotReadRequest {
        private final int place;

        Place(int place) {
            this.place = place;
        }

        @Override
        public long timestamp() {
            return timestamp;
        }

        @Override
        public List<FragmentWork> work() {
            return work.get(place);
        }

        @Override
        public @Nullable PartSize part() {
            return part;
        }

        @Override
        public int reading() {
            return reading;
        }

        @Override
        public void passed(long clock, boolean isClear) {
            SnapshotBatch.this.passed(place, clock, isClear);
        }

        @Override
        public void read(List<FragmentResult> found, @Nullable FragmentFailure failure) {
            SnapshotBatch.this.read(place, found, failure);
        }
    }

    PartitionId partition(int place) {
        return partitions[place];
    }

    long timestamp() {
        return timestamp;
    }

    // Called by the partitions.

    private void passed(int place, long clock, boolean isClearHere) {
        passed[place] = clock;
        if (!isClearHere) {
            isClear = false;
        }
        int waiting = yetToPass.decrementAndGet();
        Invariants.check(waiting >= 0, "a partition passes the timestamp of a reader's question once");
        if (waiting == 0) {
            complete.run();
        }
    }

    private void read(int place, List<FragmentResult> found, @Nullable FragmentFailure failure) {
        results[place] = found;
        failures[place] = failure;
        int waiting = yetToRead.decrementAndGet();
        Invariants.check(waiting >= 0, "a partition answers a reader's question once");
        if (waiting == 0) {
            complete.run();
        }
    }

    // Called by the fiber.

    boolean isPassed() {
        return yetToPass.get() == 0;
    }

    boolean isRead() {
        return yetToRead.get() == 0;
    }

    /**
     * Whether nothing that is read is undecided, or held back by another strict reader; of a round that all have
     * passed.
     */
    boolean isClear() {
        return isClear;
    }

    /** The highest timestamp that a partition has passed. */
    long highestPassed() {
        if (Invariants.EXPENSIVE) {
            Invariants.check(isPassed(), "a reader takes its timestamp when all partitions have passed theirs");
        }
        long highest = 0;
        for (long clock : passed) {
            highest = Math.max(highest, clock);
        }
        return highest;
    }

    /** The results of all partitions, with the first failure. Taken once: partitions remember their last question. */
    FragmentDispatch.Outcome outcome() {
        if (Invariants.EXPENSIVE) {
            Invariants.check(isRead(), "a reader puts results together when all partitions have read");
        }
        TreeMap<PartitionId, List<FragmentResult>> found = new TreeMap<>();
        for (int place = 0; place < partitions.length; place++) {
            List<FragmentResult> here = results[place];
            results[place] = null;
            found.put(partitions[place], here == null ? List.of() : here);
        }
        return new FragmentDispatch.Outcome(found, failure());
    }

    /** The failure that counts, of those that partitions have met so far; null if none has. */
    @Nullable FragmentFailure failure() {
        FragmentFailure first = null;
        for (FragmentFailure failure : failures) {
            if (failure != null && (first == null || isBefore(failure, first))) {
                first = failure;
            }
        }
        return first;
    }

    /**
     * Whether the failure counts before the other: one that ends the attempt precedes one that the procedure may
     * handle.
     */
    private static boolean isBefore(FragmentFailure failure, FragmentFailure other) {
        boolean ends = DistributedTransaction.endsAttempt(failure.code());
        if (ends != DistributedTransaction.endsAttempt(other.code())) {
            return ends;
        }
        return failure.statement() < other.statement();
    }
}
