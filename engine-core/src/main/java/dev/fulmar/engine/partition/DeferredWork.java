package dev.fulmar.engine.partition;

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
