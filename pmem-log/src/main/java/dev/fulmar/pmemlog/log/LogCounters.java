package dev.fulmar.pmemlog.log;

import java.util.concurrent.atomic.AtomicLong;

/** Counters of a log since it was opened. One thread counts, any may look. */
public final class LogCounters {
    private final AtomicLong groups = new AtomicLong();
    private final AtomicLong seals = new AtomicLong();
    private final AtomicLong fences = new AtomicLong();
    private final AtomicLong records = new AtomicLong();
    private final AtomicLong recordBytes = new AtomicLong();
    private final AtomicLong writtenBytes = new AtomicLong();
    private final AtomicLong fenceNanos = new AtomicLong();
    private final AtomicLong largestGroupRecords = new AtomicLong();
    private final AtomicLong rotations = new AtomicLong();
    private final AtomicLong liveSegments = new AtomicLong();
    private final AtomicLong prepared;
    private final AtomicLong reused;

    /**
     * @param prepared counts the bytes that preparing segments takes
     * @param reused counts segments that were made of former ones
     */
    LogCounters(AtomicLong prepared, AtomicLong reused) {
        this.prepared = prepared;
        this.reused = reused;
    }

    /** Groups with records of streams. */
    public long groups() {
        return groups.get();
    }

    /** Groups with a seal only. */
    public long seals() {
        return seals.get();
    }

    /** Synchronous writes of groups. */
    public long fences() {
        return fences.get();
    }

    /** Durable records of streams. */
    public long records() {
        return records.get();
    }

    /** Bytes of those. */
    public long recordBytes() {
        return recordBytes.get();
    }

    /** Bytes of all groups, headers, seals and padding included. */
    public long writtenBytes() {
        return writtenBytes.get();
    }

    /** Bytes written to have segments ready: zeros, headers, and the control file. */
    public long preparedBytes() {
        return prepared.get();
    }

    /** Segments that were made of former ones. */
    public long reusedSegments() {
        return reused.get();
    }

    /** Time spent in synchronous writes. */
    public long fenceNanos() {
        return fenceNanos.get();
    }

    /** Records in the largest group. */
    public long largestGroupRecords() {
        return largestGroupRecords.get();
    }

    /** Number of new segments so far. */
    public long rotations() {
        return rotations.get();
    }

    /** Segments that hold records which may be needed, the current one included. */
    public long liveSegments() {
        return liveSegments.get();
    }

    void fence(int bytes, long nanos) {
        add(fences, 1);
        add(writtenBytes, bytes);
        add(fenceNanos, nanos);
    }

    void group(int recordCount, int bytes) {
        if (recordCount == 0) {
            add(seals, 1);
            return;
        }
        add(groups, 1);
        add(records, recordCount);
        add(recordBytes, bytes);
        largestGroupRecords.lazySet(Math.max(largestGroupRecords.getPlain(), recordCount));
    }

    void rotation() {
        add(rotations, 1);
    }

    void liveSegments(int count) {
        liveSegments.lazySet(count);
    }

    private static void add(AtomicLong counter, long amount) {
        counter.lazySet(counter.getPlain() + amount);
    }
}
