package dev.fulmar.pmemlog.store;

import java.util.concurrent.atomic.LongAdder;

/** Counters of a store's transactions in this life. For any thread. */
public final class StoreCounters {
    private final LongAdder commits = new LongAdder();
    private final LongAdder writingCommits = new LongAdder();
    private final LongAdder conflicts = new LongAdder();
    private final LongAdder objectWrites = new LongAdder();
    private final LongAdder objectBytes = new LongAdder();
    private final LongAdder changedBytes = new LongAdder();

    /** Transactions that succeeded. */
    public long commits() {
        return commits.sum();
    }

    /** Those of them that wrote. */
    public long writingCommits() {
        return writingCommits.sum();
    }

    /** Transactions that failed because of others. */
    public long conflicts() {
        return conflicts.sum();
    }

    /** Objects that commits wrote, once for each commit. */
    public long objectWrites() {
        return objectWrites.sum();
    }

    /** Bytes of those objects. */
    public long objectBytes() {
        return objectBytes.sum();
    }

    /** Bytes of them that commits changed. */
    public long changedBytes() {
        return changedBytes.sum();
    }

    void committed() {
        commits.increment();
    }

    void wrote(int objects, long bytes, long changed) {
        writingCommits.increment();
        objectWrites.add(objects);
        objectBytes.add(bytes);
        changedBytes.add(changed);
    }

    void conflict() {
        conflicts.increment();
    }
}
