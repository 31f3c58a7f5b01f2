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
 * @param reruns how often it is run again by itself while none of its results has left
 */
public record SessionLimits(int statements, long bytes, long idleNanos, long totalNanos, int reruns) {
    /** For databases that are not told otherwise. */
    public static final SessionLimits DEFAULT =
            new SessionLimits(10_000, 16L << 20, 300_000_000_000L, 3_600_000_000_000L, 5);

    public SessionLimits {
        if (statements < 1 || bytes < 1 || idleNanos < 1 || totalNanos < 1 || reruns < 0) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "a transaction may have at least one statement, byte and nanosecond, and no fewer than 0 reruns, not "
                            + statements + ", " + bytes + ", " + idleNanos + ", " + totalNanos + " and " + reruns);
        }
    }
}
