package dev.fulmar.coordinator.transaction;

/**
 * The limits of a slice, after which the partition's transactions have their turn.
 *
 * @param nanos time
 * @param rows rows looked at
 */
public record SliceLimits(long nanos, int rows) {
    private static final long DEFAULT_NANOS = 50_000;
    private static final int DEFAULT_ROWS = 1_000;

    /** Limits with which a slice delays a transaction about as much as a longer transaction before it would. */
    public static final SliceLimits DEFAULT = new SliceLimits(DEFAULT_NANOS, DEFAULT_ROWS);

    public SliceLimits {
        if (nanos <= 0 || rows <= 0) {
            throw new IllegalArgumentException("a slice takes time and rows");
        }
    }
}
