package dev.fulmar.reconfig.peer;

/**
 * The rest of a node's part in a reconfiguration.
 *
 * @param rowsLeft rows of the buckets that keys are still to leave; a bucket that is to be cut counts as a whole
 * @param nanosLeft time that these take at the speed so far, {@link #UNKNOWN} before the first rows have moved
 * @param delayNanos pause between two chunks that calls on the node need
 */
public record Outlook(long rowsLeft, long nanosLeft, long delayNanos) {
    /** Instead of a time. */
    public static final long UNKNOWN = -1;

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /** Of a node that does not know yet what it has to do. */
    public static final Outlook NOT_COUNTED = new Outlook(0, UNKNOWN, 0);

    /** Of a node that has nothing to do. */
    public static final Outlook NOTHING = new Outlook(0, 0, 0);

    /** Of a reconfiguration; {@link #UNKNOWN} if that is unknown. */
    public long secondsLeft() {
        if (nanosLeft == UNKNOWN) {
            return UNKNOWN;
        }
        return nanosLeft / NANOS_PER_SECOND + (nanosLeft % NANOS_PER_SECOND == 0 ? 0 : 1);
    }

    /** The same, where calls on the node need the pause. */
    public Outlook pausing(long nanos) {
        return new Outlook(rowsLeft, nanosLeft, nanos);
    }

    /** This and that of another node, which works at the same time. */
    public Outlook and(Outlook other) {
        boolean isUnknown = nanosLeft == UNKNOWN || other.nanosLeft == UNKNOWN;
        return new Outlook(
                rowsLeft + other.rowsLeft,
                isUnknown ? UNKNOWN : Math.max(nanosLeft, other.nanosLeft),
                Math.max(delayNanos, other.delayNanos));
    }
}
