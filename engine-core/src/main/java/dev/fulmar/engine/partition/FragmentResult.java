package dev.fulmar.engine.partition;

/**
 * A partition's answer to one fragment: the rows that the fragment yields and the number of rows that it changed. The
 * transaction's coordinator receives it; votes and errors travel beside it.
 *
 * @param rows a result block, or empty if the fragment yields none
 * @param changedRows rows written
 * @param images digest of the rows that it changed, before and after; 0 if there are none, or if nobody asked
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
public record FragmentResult(byte[] rows, long changedRows, long images) {
    private static final byte[] NO_ROWS = {};

    /** Result of a fragment that nobody asked for images. */
    public FragmentResult(byte[] rows, long changedRows) {
        this(rows, changedRows, 0);
    }

    /** Result of a write that nobody asked for images. */
    public static FragmentResult changed(long changedRows) {
        return changed(changedRows, 0);
    }

    /** Result of a write. */
    public static FragmentResult changed(long changedRows, long images) {
        return new FragmentResult(NO_ROWS, changedRows, images);
    }
}
