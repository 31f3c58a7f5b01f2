package dev.fulmar.engine.index;

import dev.fulmar.engine.version.Snapshot;

/** Rows of one bucket by key. Holds ghosts too: entries of deleted rows and under keys that rows had. One thread. */
public sealed interface RowIndex permits HashIndex, OrderedIndex {
    /** The visible row with exactly this key in the key columns, 0 if there is none. For unique indexes. */
    long find(SearchKey key);

    /** The slot of the row that has exactly this key in the snapshot, 0 if there is none. For unique indexes. */
    long findAt(SearchKey key, Snapshot snapshot);

    /** The visible row with the key, leaving out one row. */
    long findOther(SearchKey key, long exceptRow);

    /**
     * Adds an entry; false if the row has one under this key already. Fails with MEMORY_LIMIT and changes nothing then.
     */
    boolean insert(SearchKey key, long row);

    /** Removes an entry; false if there is none. Takes no memory. */
    boolean remove(SearchKey key, long row);

    /** Whether a row that looks like the slot, perhaps a saved one, has the entry that a row of this key has. */
    boolean isEntryOf(SearchKey key, long slot);

    /** The keys are those of an equal format from now on: the rows are another table's, which is defined the same. */
    void use(KeyFormat same);

    /** Entries, ghosts included. */
    long entryCount();

    /** Bytes of native memory. */
    long usedBytes();

    /**
     * Frees the memory of about so many entries of an index that is no longer used.
     *
     * @return how many more it might have been; none if it has to be called again
     */
    int clearSome(int mostEntries);

    /** Removes everything and frees the memory. */
    void clear();
}
