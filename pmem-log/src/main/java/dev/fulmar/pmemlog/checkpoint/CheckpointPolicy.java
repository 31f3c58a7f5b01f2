package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * When a checkpoint is due. Long intervals write less, for a row that is written often is checkpointed once; short ones
 * recover faster.
 *
 * @param mostLogBytes log that may come between two checkpoints; those that no checkpoint covers take up space
 * @param mostDirtyBytes memory of rows that may be dirty
 * @param recoveryNanos how long the replay after the last checkpoint may take
 * @param replayBytesPerSecond how fast the log is replayed
 */
public record CheckpointPolicy(long mostLogBytes, long mostDirtyBytes, long recoveryNanos, long replayBytesPerSecond) {
    private static final double NANOS_PER_SECOND = 1e9;

    /** Why a checkpoint is made. */
    public enum Reason {
        LOG_SIZE,
        DIRTY_MEMORY,
        RECOVERY_TIME,
        REQUEST,
        NONE
    }

    public CheckpointPolicy {
        if (mostLogBytes <= 0 || mostDirtyBytes <= 0 || recoveryNanos <= 0 || replayBytesPerSecond <= 0) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "a checkpoint cannot be due after " + mostLogBytes + " bytes of log, " + mostDirtyBytes
                            + " bytes of dirty rows or " + recoveryNanos + " ns of replay at " + replayBytesPerSecond
                            + " bytes/s; all of these are positive");
        }
    }

    /** Why a checkpoint is due, {@link Reason#NONE} if it is not. */
    public Reason due(long logBytes, long dirtyBytes) {
        if (logBytes >= mostLogBytes) {
            return Reason.LOG_SIZE;
        }
        if (dirtyBytes >= mostDirtyBytes) {
            return Reason.DIRTY_MEMORY;
        }
        return replayNanos(logBytes) >= recoveryNanos ? Reason.RECOVERY_TIME : Reason.NONE;
    }

    /** How long a replay of so much log takes. */
    public double replayNanos(long logBytes) {
        return logBytes * NANOS_PER_SECOND / replayBytesPerSecond;
    }
}
