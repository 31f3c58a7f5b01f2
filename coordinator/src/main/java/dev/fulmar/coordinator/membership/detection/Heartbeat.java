package dev.fulmar.coordinator.membership.detection;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * Heartbeat that a node sends to another, a few times a second.
 *
 * @param clusterId of the sender; other clusters are not listened to
 * @param incarnation of the sender's process
 * @param sentNanos running time of the sender, which means nothing to the receiver but is sent back by it
 * @param echoedIncarnation of the receiver's process as it was last heard; 0 if it was not
 * @param echoedNanos what the receiver sent last
 * @param leaves whether the sender's process is about to end in order
 */
public record Heartbeat(
        UUID clusterId, long incarnation, long sentNanos, long echoedIncarnation, long echoedNanos, boolean leaves) {
    /** Bytes of a heartbeat. */
    public static final int BYTES = 1 + 6 * Long.BYTES;

    private static final byte VERSION = 1;

    /**
     * The same of a process that is about to end. A receiver that does not know it ends the link, and the process is
     * gone a moment later.
     */
    private static final byte LEAVES = 2;

    /** Appends the heartbeat. */
    public void write(ByteBuffer out) {
        out.put(leaves ? LEAVES : VERSION)
                .putLong(clusterId.getMostSignificantBits())
                .putLong(clusterId.getLeastSignificantBits())
                .putLong(incarnation)
                .putLong(sentNanos)
                .putLong(echoedIncarnation)
                .putLong(echoedNanos);
    }

    /** The heartbeat that the rest of the buffer is; refuses anything else. */
    public static Heartbeat read(ByteBuffer in) {
        byte version = in.remaining() == BYTES ? in.get() : 0;
        if (version != VERSION && version != LEAVES) {
            throw new FulmarException(
                    ErrorCode.VERSION_MISMATCH,
                    "a node sends heartbeats that this version of Fulmar does not know; run the same version on all nodes");
        }
        return new Heartbeat(
                new UUID(in.getLong(), in.getLong()),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                version == LEAVES);
    }
}
