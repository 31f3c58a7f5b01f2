package dev.fulmar.engine.index;

/** Rows of one bucket by key. Holds ghosts too: entries of deleted rows and under keys that rows had. One thread. */
public sealed interface RowIndex permits HashIndex, OrderedIndex {
    /** The visible row with exactly this key in the key columns, 0 if there is none. For unique indexes. */
    long find(SearchKey key);

    /** The same, leaving out one row. */
    long findOther(SearchKey key, long exceptRow);

    /** Adds an entry; false if the row has one under this key already. Fails with MEMORY_LIMIT and changes nothing then. */
    boolean insert(SearchKey key, long row);

    /** Removes an entry; false if there is none. Takes no memory. */
    boolean remove(SearchKey key, long row);

    /** Removes the entry under a key that the row had, unless the row has that key again. */
    void releaseStale(SearchKey key, long row);

    /** Entries, ghosts included. */
    long entryCount();

    /** Bytes of native memory. */
    long usedBytes();

    /** Removes everything and frees the memory. */
    void clear();
}
