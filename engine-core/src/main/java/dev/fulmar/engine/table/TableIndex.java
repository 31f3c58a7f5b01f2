package dev.fulmar.engine.table;

import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.index.SearchRange;

/** One index of a table on one partition: a root per bucket. Look-ups that carry the partitioning key touch one root. */
public final class TableIndex {
    public Index definition() {
        throw new UnsupportedOperationException();
    }

    /** A key for {@link #find}. */
    public SearchKey newKey() {
        throw new UnsupportedOperationException();
    }

    /** A range for {@link #open}. */
    public SearchRange newRange() {
        throw new UnsupportedOperationException();
    }

    /** The visible row with exactly this key, 0 if there is none. Unique indexes only (hash or ordered); all key columns are set. */
    public long find(SearchKey key) {
        throw new UnsupportedOperationException();
    }

    public IndexCursor newCursor() {
        throw new UnsupportedOperationException();
    }

    /**
     * Places the cursor before the first row of the range, or behind the last if backwards. Ordered indexes take any range. A HASH index that is not
     * unique takes ranges with all columns in the prefix (it is kept in key order too); a unique one is not opened but {@link #find}s.
     */
    public void open(IndexCursor cursor, SearchRange range, boolean backwards) {
        throw new UnsupportedOperationException();
    }

    /** Bytes of native memory that the index uses. */
    public long usedBytes() {
        throw new UnsupportedOperationException();
    }
}
