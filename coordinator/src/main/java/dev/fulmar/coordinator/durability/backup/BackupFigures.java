package dev.fulmar.coordinator.durability.backup;

import java.util.concurrent.atomic.AtomicLong;

/** Progress of a backup. One thread writes, any may read. */
public final class BackupFigures {
    /** Phase of a backup. */
    public enum State {
        WAITING_FOR_CHECKPOINT,
        COPYING_CHECKPOINTS,
        CUTTING,
        COPYING_LOG,
        DONE,
        FAILED
    }

    private final String directory;
    private final AtomicLong copiedBytes = new AtomicLong();
    private volatile State state = State.WAITING_FOR_CHECKPOINT;
    private volatile long totalBytes;
    private volatile long timestamp;
    private volatile long nanos;
    private volatile String failure = "";

    /** @param directory where the backup goes */
    public BackupFigures(String directory) {
        this.directory = directory;
    }

    void state(State next) {
        state = next;
    }

    void total(long bytes) {
        totalBytes = bytes;
    }

    void copied(long bytes) {
        copiedBytes.addAndGet(bytes);
    }

    void timestamp(long cut) {
        timestamp = cut;
    }

    void done(long tookNanos) {
        nanos = tookNanos;
        state = State.DONE;
    }

    void failed(String why) {
        failure = why;
        state = State.FAILED;
    }

    public String directory() {
        return directory;
    }

    public State state() {
        return state;
    }

    /** Whether it has ended, well or not. */
    public boolean isOver() {
        return state == State.DONE || state == State.FAILED;
    }

    public long copiedBytes() {
        return copiedBytes.get();
    }

    /** Bytes to copy, as far as they are known. */
    public long totalBytes() {
        return Math.max(totalBytes, copiedBytes());
    }

    /** Commits up to this timestamp are in the backup; 0 until it is known. */
    public long timestamp() {
        return timestamp;
    }

    /** Duration of the backup; 0 until it is done. */
    public long nanos() {
        return nanos;
    }

    /** The reason of the failure, or an empty text. */
    public String failure() {
        return failure;
    }
}
