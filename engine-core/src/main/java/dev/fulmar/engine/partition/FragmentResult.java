package dev.fulmar.engine.partition;

/**
 * A partition's answer to one fragment: the rows that the fragment yields and the number of rows that it changed. The
 * transaction's coordinator receives it; votes and errors travel beside it.
 *
 * @param rows a result block, or empty if the fragment yields none
 * @param changedRows rows written
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
public record FragmentResult(byte[] rows, long changedRows) {
    private static final byte[] NO_ROWS = {};

    /** Result of a write. */
    public static FragmentResult changed(long changedRows) {
        return new FragmentResult(NO_ROWS, changedRows);
    }
}
