package dev.fulmar.engine.version;

/**
 * The limits of the memory for a partition's versions.
 *
 * @param capBytes memory for versions, ghosts and what they hold; beyond {@link #highBytes} the oldest reader is
 *     expired
 */
public record VersionLimits(long capBytes) {
    private static final int LOW_PERCENT = 30;
    private static final int HIGH_PERCENT = 75;
    private static final int WHOLE_PERCENT = 100;

    /** No reader is ever expired for memory. */
    public static VersionLimits unlimited() {
        return new VersionLimits(Long.MAX_VALUE);
    }

    /** Bytes from which on versions that no reader needs are given back with priority. */
    public long lowBytes() {
        return capBytes / WHOLE_PERCENT * LOW_PERCENT;
    }

    /** Bytes from which on readers are expired, the oldest first. */
    public long highBytes() {
        return capBytes / WHOLE_PERCENT * HIGH_PERCENT;
    }
}
