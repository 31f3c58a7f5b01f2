package dev.fulmar.coordinator.session;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Limits of one transaction of a session.
 *
 * @param statements that it may have
 * @param bytes of their texts and parameters
 * @param idleNanos how long its client may think
 * @param totalNanos how long it may last
 */
public record SessionLimits(int statements, long bytes, long idleNanos, long totalNanos) {
    /** For databases that are not told otherwise. */
    public static final SessionLimits DEFAULT =
            new SessionLimits(10_000, 16L << 20, 300_000_000_000L, 3_600_000_000_000L);

    public SessionLimits {
        if (statements < 1 || bytes < 1 || idleNanos < 1 || totalNanos < 1) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "a transaction may have at least one statement, byte and nanosecond, not " + statements + ", "
                            + bytes + ", " + idleNanos + " and " + totalNanos);
        }
    }
}
