package dev.fulmar.engine.procedure;

/** The kind of reply that a call yields. */
public enum ReplyKind {
    NOTHING,
    /** A long: what {@code run} returned, or the rows that the one statement changed. */
    VALUE,
    /** One result block. */
    TABLE,
    /** Any number of result blocks. */
    TABLES
}
