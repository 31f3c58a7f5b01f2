package dev.fulmar.engine.partitioning;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * The pace of a reconfiguration.
 *
 * @param chunkBytes size of a chunk; its rows are copied, and put into indexes, without a transaction in between
 * @param delayNanos shortest pause between a chunk that is durable and the next one
 * @param mostIncreasePercent by which the 99th percentile of the time of calls may grow on a node before pauses get
 *     longer; {@link #UNLIMITED} for pauses that are always the same
 */
public record MovePace(int chunkBytes, long delayNanos, int mostIncreasePercent) {
    /** No budget for the time of calls. */
    public static final int UNLIMITED = 0;

    /** Chunks of about a millisecond of work. */
    public static final MovePace DEFAULT = new MovePace(64 << 10, 1_000_000, UNLIMITED);

    /** Longest pause between two chunks: a destination drops rows of a move of which it hears nothing for longer. */
    public static final long MOST_DELAY_NANOS = 5_000_000_000L;

    private static final int MOST_CHUNK_BYTES = 512 << 10;

    /** Times are counted in buckets that are an eighth wide: a smaller increase is not seen. */
    private static final int LEAST_INCREASE_PERCENT = 10;

    private static final int MOST_INCREASE_PERCENT = 10_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** @throws FulmarException {@link ErrorCode#INVALID_CONFIGURATION} for a size, pause or budget out of bounds */
    public MovePace {
        if (chunkBytes < 1 || chunkBytes > MOST_CHUNK_BYTES || delayNanos < 0 || delayNanos > MOST_DELAY_NANOS) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "a reconfiguration has chunks of 1 to " + MOST_CHUNK_BYTES
                            + " bytes and a pause of 0 to "
                            + MOST_DELAY_NANOS / NANOS_PER_MILLI + " ms, not " + chunkBytes + " bytes and "
                            + delayNanos / NANOS_PER_MILLI + " ms");
        }
        if (mostIncreasePercent != UNLIMITED
                && (mostIncreasePercent < LEAST_INCREASE_PERCENT || mostIncreasePercent > MOST_INCREASE_PERCENT)) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "a reconfiguration may make the 99th percentile of calls " + LEAST_INCREASE_PERCENT + " to "
                            + MOST_INCREASE_PERCENT + " % longer, not " + mostIncreasePercent + " %");
        }
    }

    /** Whether pauses depend on the time of calls. */
    public boolean isLimited() {
        return mostIncreasePercent != UNLIMITED;
    }
}
