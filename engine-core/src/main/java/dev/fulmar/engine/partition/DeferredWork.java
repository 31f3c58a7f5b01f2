package dev.fulmar.engine.partition;

import dev.fulmar.foundation.check.Invariants;
import java.util.ArrayDeque;

/** Single-partition transactions that wait behind the lock or a request for it, in arrival order. */
final class DeferredWork {
    private final Partition partition;
    private final ArrayDeque<SinglePartitionWork> queue = new ArrayDeque<>();

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

    void add(SinglePartitionWork work, long arrival) {
        work.arrival = arrival;
        if (Invariants.EXPENSIVE) {
            Invariants.check(
                    queue.isEmpty() || queue.getLast().arrival < arrival,
                    "transactions wait for the lock in the order of their arrival");
        }
        queue.addLast(work);
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
            Invariants.check(
                    queue.isEmpty() || work.arrival < queue.getFirst().arrival,
                    "a revoked transaction keeps its place before all that arrived later");
            queue.addFirst(work);
            partition.counters().speculationsUndone.increment();
        }
        count();
    }

    private void count() {
        partition.inbox().deferred(queue.size());
        partition.counters().deferred.set(queue.size());
    }
}
