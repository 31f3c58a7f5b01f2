package dev.fulmar.reconfig.move;

import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * The pace of a reconfiguration.
 *
 * @param chunkBytes size of a chunk; its rows are copied, and put into indexes, without a transaction in between
 * @param delayNanos pause between a chunk that is durable and the next one
 */
public record ReconfigurationSettings(int chunkBytes, long delayNanos) {
    /** Chunks of about a millisecond of work. */
    public static final ReconfigurationSettings DEFAULT = new ReconfigurationSettings(64 << 10, 1_000_000);

    private static final int MOST_CHUNK_BYTES = 512 << 10;

    /** @throws FulmarException {@link ErrorCode#INVALID_CONFIGURATION} for a size or pause out of bounds */
    public ReconfigurationSettings {
        if (chunkBytes < 1
                || chunkBytes > MOST_CHUNK_BYTES
                || delayNanos < 0
                || delayNanos > PlanTarget.MOST_DELAY_NANOS) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "a reconfiguration has chunks of 1 to " + MOST_CHUNK_BYTES
                            + " bytes and a pause of 0 to "
                            + PlanTarget.MOST_DELAY_NANOS / 1_000_000 + " ms, not " + chunkBytes + " bytes and "
                            + delayNanos / 1_000_000 + " ms");
        }
    }
}
