package dev.fulmar.engine.catalog;

/** The structure by which an index finds its rows. */
public enum IndexKind {
    /** Equality on all key columns. */
    HASH,
    /** Equality on a prefix of the key columns, then a range; rows come in key order. */
    ORDERED
}
