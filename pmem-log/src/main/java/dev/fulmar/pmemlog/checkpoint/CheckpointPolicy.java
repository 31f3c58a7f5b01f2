package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Decides when a checkpoint is due. Long intervals write less, for a row that is written often is checkpointed once;
 * short ones recover faster.
 *
 * @param mostLogBytes log that may come between two checkpoints; those that no checkpoint covers take up space
 * @param mostDirtyBytes memory of rows that may be dirty
 * @param recoveryNanos how long a restart may take: checkpoints are loaded, then the log after them is replayed
 * @param replayBytesPerSecond how fast the log is replayed
 * @param loadBytesPerSecond how fast checkpoints are loaded
 * @param otherNanos what a restart takes beside the two
 */
public record CheckpointPolicy(
        long mostLogBytes,
        long mostDirtyBytes,
        long recoveryNanos,
        long replayBytesPerSecond,
        long loadBytesPerSecond,
        long otherNanos) {
    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * Least share of the recovery time for the replay, so that a database that takes long to load is not checkpointed
     * all the time.
     */
    private static final double LEAST_REPLAY_SHARE = 0.25;

    /** Reasons for a checkpoint. */
    public enum Reason {
        LOG_SIZE,
        DIRTY_MEMORY,
        RECOVERY_TIME,
        LOG_FULL,
        SPACE,
        REQUEST,
        NONE
    }

    public CheckpointPolicy {
        if (mostLogBytes <= 0
                || mostDirtyBytes <= 0
                || recoveryNanos <= 0
                || replayBytesPerSecond <= 0
                || loadBytesPerSecond <= 0
                || otherNanos < 0) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "a checkpoint cannot be due after " + mostLogBytes + " bytes of log, " + mostDirtyBytes
                            + " bytes of dirty rows or " + recoveryNanos + " ns of restart at " + replayBytesPerSecond
                            + " bytes/s of replay and " + loadBytesPerSecond
                            + " bytes/s of loading; all of these are positive");
        }
    }

    /** A policy for checkpoints whose loading time does not count. */
    public CheckpointPolicy(long mostLogBytes, long mostDirtyBytes, long recoveryNanos, long replayBytesPerSecond) {
        this(mostLogBytes, mostDirtyBytes, recoveryNanos, replayBytesPerSecond, Long.MAX_VALUE, 0);
    }

    /** The same with other speeds, and another time beside them. */
    public CheckpointPolicy withSpeeds(long replay, long load, long other) {
        return new CheckpointPolicy(mostLogBytes, mostDirtyBytes, recoveryNanos, replay, load, other);
    }

    /** The same where so many threads load and replay at once. */
    public CheckpointPolicy onThreads(int threads) {
        return withSpeeds(
                Math.multiplyExact(replayBytesPerSecond, threads),
                Math.multiplyExact(loadBytesPerSecond, threads),
                otherNanos);
    }

    /**
     * The reason for which a checkpoint is due, {@link Reason#NONE} if it is not.
     *
     * @param logBytes log since the last checkpoint
     * @param replayBytes the same weighted by what its replay costs, with what will come until a checkpoint holds
     * @param dirtyBytes memory of rows that are dirty
     * @param storedBytes what a restart loads of checkpoints
     */
    public Reason due(long logBytes, long replayBytes, long dirtyBytes, long storedBytes) {
        if (logBytes >= mostLogBytes) {
            return Reason.LOG_SIZE;
        }
        if (dirtyBytes >= mostDirtyBytes) {
            return Reason.DIRTY_MEMORY;
        }
        double leftNanos =
                Math.max(recoveryNanos - otherNanos - loadNanos(storedBytes), LEAST_REPLAY_SHARE * recoveryNanos);
        return replayNanos(replayBytes) >= leftNanos ? Reason.RECOVERY_TIME : Reason.NONE;
    }

    /** Estimated time of a restart that has so much to load and to replay. */
    public double restartNanos(long storedBytes, long replayBytes) {
        return otherNanos + loadNanos(storedBytes) + replayNanos(replayBytes);
    }

    /** Estimated time of the replay of so much log, weighted by its cost. */
    public double replayNanos(long replayBytes) {
        return replayBytes * NANOS_PER_SECOND / replayBytesPerSecond;
    }

    /** Estimated time to load so much of checkpoints. */
    public double loadNanos(long storedBytes) {
        return storedBytes * NANOS_PER_SECOND / loadBytesPerSecond;
    }
}
