package dev.fulmar.coordinator.portal;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Limits of portals.
 *
 * @param idleNanos how long a client may leave a portal without a fetch
 * @param partBytes of one part; its last row may go beyond
 * @param perConnection portals that one connection may have open
 * @param mostOpen portals that may be open on the node
 */
public record PortalLimits(long idleNanos, int partBytes, int perConnection, int mostOpen) {
    /** For databases that are not told otherwise. */
    public static final PortalLimits DEFAULT = new PortalLimits(60_000_000_000L, 1 << 20, 16, 500);

    public PortalLimits {
        if (idleNanos < 1 || partBytes < 1 || perConnection < 1 || mostOpen < 1) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "portals need at least a nanosecond, a byte and one portal, not " + idleNanos + ", " + partBytes
                            + ", " + perConnection + " and " + mostOpen);
        }
    }

    /** The same with parts of no more bytes. */
    public PortalLimits withPartsUpTo(int mostBytes) {
        return new PortalLimits(idleNanos, Math.min(partBytes, mostBytes), perConnection, mostOpen);
    }
}
