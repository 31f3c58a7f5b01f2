package dev.fulmar.engine.index;

/** Computes a key value of an index. One thread. */
@FunctionalInterface
public interface KeyValue {
    /** Adds the value for the row that the slot or image, perhaps a saved one, holds; fails for a row that has none. */
    void addTo(SearchKey key, long row);
}
