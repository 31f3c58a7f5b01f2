package dev.fulmar.engine.index;

/**
 * A normalised index key under construction: unsigned comparison of its words is comparison in index order. Values are added in the order of
 * the index columns. Reusable, one thread, allocates nothing once it has grown to its size.
 */
public final class SearchKey {
    /** Starts anew. */
    public SearchKey reset() {
        throw new UnsupportedOperationException();
    }

    /** Adds a value of a column that holds a long; one that the column cannot hold matches no row, or bounds the range at its end. */
    public SearchKey addLong(long value) {
        throw new UnsupportedOperationException();
    }

    public SearchKey addDouble(double value) {
        throw new UnsupportedOperationException();
    }

    public SearchKey addWide(long high, long low) {
        throw new UnsupportedOperationException();
    }

    public SearchKey addBytes(byte[] source, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    /** Adds bytes that lie in native memory. */
    public SearchKey addBytes(long address, int length) {
        throw new UnsupportedOperationException();
    }

    /** Adds NULL, which in index order is higher than every value. A look-up that must match nothing for null is not to be made. */
    public SearchKey addNull() {
        throw new UnsupportedOperationException();
    }

    /** Adds the value of a column of a row or image. */
    public SearchKey addColumn(dev.fulmar.engine.row.RowLayout layout, long row, int column) {
        throw new UnsupportedOperationException();
    }
}
