package dev.fulmar.engine.partition;

import dev.fulmar.foundation.check.Invariants;
import java.util.ArrayDeque;

/** Single-partition transactions that wait behind the lock or a request for it, in arrival order. */
final class DeferredWork {
    private final Partition partition;
    private final ArrayDeque<SinglePartitionWork> queue = new ArrayDeque<>();
    private long arrivals;

    DeferredWork(Partition partition) {
        this.partition = partition;
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Place of the first one in the order of arrival. */
    long firstArrival() {
        return queue.getFirst().arrival;
    }

    /** The next place in the order of arrival. */
    long nextArrival() {
        return ++arrivals;
    }

    /** Gives it a place in the order of arrival, unless it has one because it waited before. */
    void place(SinglePartitionWork work) {
        if (work.arrival == 0) {
            work.arrival = nextArrival();
        }
    }

    void add(SinglePartitionWork work) {
        work.arrival = nextArrival();
        if (Invariants.EXPENSIVE) {
            Invariants.check(
                    queue.isEmpty() || queue.getLast().arrival < work.arrival,
                    "transactions wait for the lock in the order of their arrival");
        }
        queue.addLast(work);
        count();
    }

    /** Puts one back that was taken out and did not run to its end; it keeps its place in the order of arrival. */
    void restore(SinglePartitionWork work) {
        if (!queue.isEmpty() && queue.getLast().arrival < work.arrival) {
            queue.addLast(work); // thousands may come back in the order of their arrival
            count();
            return;
        }
        ArrayDeque<SinglePartitionWork> earlier = new ArrayDeque<>();
        while (!queue.isEmpty() && queue.getFirst().arrival < work.arrival) {
            earlier.addLast(queue.removeFirst());
        }
        if (Invariants.EXPENSIVE) {
            Invariants.check(
                    queue.isEmpty() || work.arrival < queue.getFirst().arrival,
                    "a transaction that goes back keeps its place before all that arrived later");
        }
        queue.addFirst(work);
        while (!earlier.isEmpty()) {
            queue.addFirst(earlier.removeLast());
        }
        count();
    }

    SinglePartitionWork remove() {
        SinglePartitionWork work = queue.removeFirst();
        count();
        return work;
    }

    /** Takes back what was executed in vain; it keeps its place before all others. */
    void takeBack(Speculation speculation) {
        if (speculation.isEmpty()) {
            return;
        }
        while (!speculation.isEmpty()) {
            SinglePartitionWork work = speculation.removeLast();
            work.revoked(partition);
            restore(work);
            partition.counters().speculationsUndone.increment();
        }
        count();
    }

    private void count() {
        partition.inbox().deferred(queue.size());
        partition.counters().deferred.set(queue.size());
    }
}
