package dev.fulmar.engine.partitioning;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * The pace of a reconfiguration.
 *
 * @param chunkBytes size of a chunk; its rows are copied, and put into indexes, without a transaction in between
 * @param delayNanos shortest pause between a chunk that is durable and the next one
 * @param mostIncreasePercent by which the 99th percentile of the time of calls may grow on a node before pauses get
 *     longer; {@link #UNLIMITED} for pauses that do not depend on that
 * @param mostSharePercent of a site's time that copying may take while its pieces take long; {@link #ANY_SHARE} for
 *     chunks and pauses of fixed size
 * @param mostPartBytes size from which on a bucket moves in parts; {@link #BY_MEMORY} for a share of the memory of its
 *     node, and {@link #WHOLE} if it never does
 */
public record MovePace(
        int chunkBytes, long delayNanos, int mostIncreasePercent, int mostSharePercent, long mostPartBytes) {
    /** No budget for the time of calls. */
    public static final int UNLIMITED = 0;

    /** No bound for the time that copying takes. */
    public static final int ANY_SHARE = 100;

    /** A bucket moves in parts if it has more than a third of its node's memory: a cut needs as much again. */
    public static final long BY_MEMORY = -1;

    private static final int SHARE_OF_MEMORY = 3;

    /** No bucket moves in parts. */
    public static final long WHOLE = Long.MAX_VALUE;

    /** The same, in reconfigurations that nodes of earlier builds have begun. */
    private static final long EARLY = 0;

    private static final int USUAL_SHARE_PERCENT = 20;

    /** Chunks of about a millisecond of work. */
    public static final MovePace DEFAULT = new MovePace(64 << 10, 1_000_000, UNLIMITED, USUAL_SHARE_PERCENT, BY_MEMORY);

    /** Longest pause between two chunks: a destination drops rows of a move of which it hears nothing for longer. */
    public static final long MOST_DELAY_NANOS = 5_000_000_000L;

    private static final int MOST_CHUNK_BYTES = 512 << 10;

    /** Times are counted in buckets that are an eighth wide: a smaller increase is not seen. */
    private static final int LEAST_INCREASE_PERCENT = 10;

    private static final int MOST_INCREASE_PERCENT = 10_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** @throws FulmarException {@link ErrorCode#INVALID_CONFIGURATION} for what is out of bounds */
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
        if (mostSharePercent < 1 || mostSharePercent > ANY_SHARE) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "copying takes 1 to 100 % of a site's time, not " + mostSharePercent + " %");
        }
        if (mostPartBytes < BY_MEMORY || (mostPartBytes == EARLY && mostSharePercent != ANY_SHARE)) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "a bucket moves in parts of at least one byte, not " + mostPartBytes);
        }
    }

    /** Chunks and pauses of fixed size, and whole buckets, as in reconfigurations that earlier builds have begun. */
    public MovePace(int chunkBytes, long delayNanos, int mostIncreasePercent) {
        this(chunkBytes, delayNanos, mostIncreasePercent, ANY_SHARE, EARLY);
    }

    /** The same, where buckets of more bytes move in parts. */
    public MovePace inParts(long mostBytes) {
        return new MovePace(chunkBytes, delayNanos, mostIncreasePercent, mostSharePercent, mostBytes);
    }

    /**
     * Whether a bucket moves in parts.
     *
     * @param bytes that it has
     * @param memoryBytes of its node
     */
    public boolean isTooLarge(long bytes, long memoryBytes) {
        return !isEarly() && bytes > (mostPartBytes == BY_MEMORY ? memoryBytes / SHARE_OF_MEMORY : mostPartBytes);
    }

    /** Whether it is that of a reconfiguration that nodes of earlier builds may take part in. */
    public boolean isEarly() {
        return mostPartBytes == EARLY;
    }

    /** Whether pauses depend on the time of calls. */
    public boolean isLimited() {
        return mostIncreasePercent != UNLIMITED;
    }
}
