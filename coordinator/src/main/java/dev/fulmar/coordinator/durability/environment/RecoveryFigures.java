package dev.fulmar.coordinator.durability.environment;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.pmemlog.checkpoint.CheckpointPolicy;
import java.util.concurrent.atomic.AtomicLong;

/** Progress and result of a recovery. The recovery writes, any thread may read. */
public final class RecoveryFigures {
    private static final double NANOS_PER_SECOND = 1e9;

    /** Less than this says nothing about how fast a machine is. */
    private static final long LEAST_LOADED_BYTES = 64 << 20;

    private static final long LEAST_REPLAY_COST = 64 << 20;

    /**
     * How much longer loading and replay take together because their code is compiled meanwhile; the policy has it in
     * what comes beside them.
     */
    static final long WARM_UP_NANOS = 1_000_000_000;

    private static final long BYTES_PER_RECORD = 1000;

    /** Phase of a recovery. */
    public enum Phase {
        READING,
        LOADING,
        REPLAYING,
        DONE
    }

    private final AtomicLong loadedRows = new AtomicLong();
    private final AtomicLong loadedBytes = new AtomicLong();
    private final AtomicLong replayedBytes = new AtomicLong();
    private volatile Phase phase = Phase.READING;
    private volatile long loadNanos;
    private volatile long replayNanos;
    private volatile long totalNanos;
    private volatile long logBytes;
    private volatile double replayPart;
    private volatile double leftSeconds;
    private volatile long transactions;
    private volatile long rowChanges;

    public void begin(Phase next) {
        Invariants.check(next.compareTo(phase) > 0, "a recovery goes on from phase to phase");
        phase = next;
    }

    public void loaded(long rows, long bytes) {
        loadedRows.addAndGet(rows);
        loadedBytes.addAndGet(bytes);
    }

    public void loadEnded(long nanos) {
        loadNanos = nanos;
    }

    public void replaying(double part, double secondsLeft) {
        replayPart = part;
        leftSeconds = secondsLeft;
    }

    public void replayEnded(long bytes, long nanos) {
        replayedBytes.set(bytes);
        replayNanos = nanos;
    }

    public void end(long allLogBytes, long committed, long changes, long nanos) {
        logBytes = allLogBytes;
        transactions = committed;
        rowChanges = changes;
        totalNanos = nanos;
        replayPart = 1;
        leftSeconds = 0;
        phase = Phase.DONE;
    }

    /** The current phase. */
    public Phase phase() {
        return phase;
    }

    /** Rows that came from checkpoints. */
    public long loadedRows() {
        return loadedRows.get();
    }

    /** Bytes of those. */
    public long loadedBytes() {
        return loadedBytes.get();
    }

    /** Time that loading them and building their indexes took. */
    public long loadNanos() {
        return loadNanos;
    }

    /** Log that no checkpoint covered. */
    public long replayedBytes() {
        return replayedBytes.get();
    }

    /** Time that its replay took. */
    public long replayNanos() {
        return replayNanos;
    }

    /** All the log that was read. */
    public long logBytes() {
        return logBytes;
    }

    /** Part of the log that is replayed, 0 to 1. */
    public double replayPart() {
        return replayPart;
    }

    /** Time that the replay may still take. */
    public double leftSeconds() {
        return leftSeconds;
    }

    /** Transactions that were replayed. */
    public long transactions() {
        return transactions;
    }

    /** Changes of rows that were replayed. */
    public long rowChanges() {
        return rowChanges;
    }

    /** Time that all of it took. */
    public long totalNanos() {
        return totalNanos;
    }

    /**
     * The policy with the speeds of this recovery, where it was large enough to say, and with what it took beside
     * loading and replay.
     *
     * @param storedBytes of the files that were loaded
     */
    public CheckpointPolicy calibrated(CheckpointPolicy usual, long storedBytes) {
        long replay = replayCost(replayedBytes(), transactions);
        return usual.withSpeeds(
                speed(replay, LEAST_REPLAY_COST, withoutWarmUp(replayNanos), usual.replayBytesPerSecond()),
                speed(storedBytes, LEAST_LOADED_BYTES, withoutWarmUp(loadNanos), usual.loadBytesPerSecond()),
                usual.otherNanos() + Math.max(0, totalNanos - loadNanos - replayNanos));
    }

    /** A short recovery is over before its code is compiled: it must not make the machine look slow for good. */
    private static long withoutWarmUp(long nanos) {
        return Math.max(nanos / 2, nanos - WARM_UP_NANOS);
    }

    /**
     * Log weighted by what its replay costs: a command of a few bytes takes as long as a thousand bytes of images, or
     * thereabouts.
     */
    public static long replayCost(long bytes, long records) {
        return bytes + records * BYTES_PER_RECORD;
    }

    private static long speed(long bytes, long least, long nanos, long usual) {
        return bytes < least || nanos <= 0 ? usual : Math.max(1, (long) (bytes * NANOS_PER_SECOND / nanos));
    }
}
