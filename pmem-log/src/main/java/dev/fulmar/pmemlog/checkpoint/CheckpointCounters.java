package dev.fulmar.pmemlog.checkpoint;

import java.util.concurrent.atomic.AtomicLong;

/** Counters of checkpoints in this life, for any thread. */
public final class CheckpointCounters {
    private final AtomicLong checkpoints = new AtomicLong();
    private final AtomicLong rounds = new AtomicLong();
    private final AtomicLong reclaimedSegments = new AtomicLong();
    private final AtomicLong rowImages = new AtomicLong();
    private final AtomicLong writtenStraight = new AtomicLong();
    private final AtomicLong writtenBack = new AtomicLong();
    private final AtomicLong superseded = new AtomicLong();
    private final AtomicLong clogBytes = new AtomicLong();
    private final AtomicLong masterBytes = new AtomicLong();
    private final AtomicLong masterZeroBytes = new AtomicLong();
    private final AtomicLong givenBackBytes = new AtomicLong();
    private final AtomicLong superblockBytes = new AtomicLong();
    private final AtomicLong storedBytes = new AtomicLong();
    private final AtomicLong lastRoundNanos = new AtomicLong();

    /** Checkpoints of single partitions. */
    public long checkpoints() {
        return checkpoints.get();
    }

    /** Times that all partitions had one. */
    public long rounds() {
        return rounds.get();
    }

    /** Time that the last round took. */
    public long lastRoundNanos() {
        return lastRoundNanos.get();
    }

    /** Segments of checkpoint logs that were written back and deleted. */
    public long reclaimedSegments() {
        return reclaimedSegments.get();
    }

    /** Rows that went into checkpoints. */
    public long rowImages() {
        return rowImages.get();
    }

    /** Of these, those that went to the master heap and in no checkpoint log, because they were new there. */
    public long writtenStraight() {
        return writtenStraight.get();
    }

    /** Images of checkpoint logs that reached the master heap. */
    public long writtenBack() {
        return writtenBack.get();
    }

    /** Images that never reached the master heap, for a newer one came before. */
    public long superseded() {
        return superseded.get();
    }

    /** Bytes written to checkpoint logs. */
    public long clogBytes() {
        return clogBytes.get();
    }

    /** Bytes written to master heaps, without the zeros of new extents. */
    public long masterBytes() {
        return masterBytes.get();
    }

    /** Zeros written to master heaps where they grew. */
    public long masterZeroBytes() {
        return masterZeroBytes.get();
    }

    /** Bytes of master heaps whose space the file system got back. */
    public long givenBackBytes() {
        return givenBackBytes.get();
    }

    /** Bytes of checkpoints that a restart reads. */
    public long storedBytes() {
        return storedBytes.get();
    }

    /** Bytes written to the superblock. */
    public long superblockBytes() {
        return superblockBytes.get();
    }

    void checkpoint() {
        checkpoints.incrementAndGet();
    }

    void round(long nanos) {
        lastRoundNanos.set(nanos);
        rounds.incrementAndGet();
    }

    void reclaimed() {
        reclaimedSegments.incrementAndGet();
    }

    void add(Work before, Work after) {
        rowImages.addAndGet(after.rowImages - before.rowImages);
        writtenStraight.addAndGet(after.writtenStraight - before.writtenStraight);
        writtenBack.addAndGet(after.writtenBack - before.writtenBack);
        superseded.addAndGet(after.superseded - before.superseded);
        clogBytes.addAndGet(after.clogBytes - before.clogBytes);
        masterBytes.addAndGet(after.masterBytes - before.masterBytes);
        masterZeroBytes.addAndGet(after.masterZeroBytes - before.masterZeroBytes);
        givenBackBytes.addAndGet(after.givenBackBytes - before.givenBackBytes);
        storedBytes.addAndGet(after.storedBytes - before.storedBytes);
    }

    void stored(PartitionStore store) {
        storedBytes.addAndGet(store.storedBytes());
    }

    void superblockBytes(long total) {
        superblockBytes.set(total);
    }

    /** Work of a partition's checkpoints up to a moment. */
    record Work(
            long rowImages,
            long writtenStraight,
            long writtenBack,
            long superseded,
            long clogBytes,
            long masterBytes,
            long masterZeroBytes,
            long givenBackBytes,
            long storedBytes) {
        static Work of(PartitionStore store) {
            return new Work(
                    store.rowEntries(),
                    store.slotsFilled(),
                    store.slotsWritten(),
                    store.entriesDropped(),
                    store.clogBytes(),
                    store.masterBytes(),
                    store.masterZeroBytes(),
                    store.givenBackBytes(),
                    store.storedBytes());
        }
    }
}
