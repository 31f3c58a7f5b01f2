package dev.fulmar.engine.partition;

import java.util.ArrayDeque;

/** Transactions that ran after the lock holder's vote and wait for its decision, in execution order. */
final class Speculation {
    /** More than that many wait for the decision unexecuted, which bounds the work that an abort undoes. */
    static final int CAPACITY = 1024;

    private final ArrayDeque<SinglePartitionWork> executed = new ArrayDeque<>();

    boolean hasRoom() {
        return executed.size() < CAPACITY;
    }

    boolean isEmpty() {
        return executed.isEmpty();
    }

    void add(SinglePartitionWork work) {
        executed.addLast(work);
    }

    /** The one executed first of those that remain. */
    SinglePartitionWork removeFirst() {
        return executed.removeFirst();
    }

    /** The one executed last of those that remain. */
    SinglePartitionWork removeLast() {
        return executed.removeLast();
    }
}
