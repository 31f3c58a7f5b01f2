package dev.fulmar.client;

/** Consistency of a call that only reads several partitions. */
public enum Consistency {
    /** As the procedure declares by {@code @ReadOnly}; strict for a statement. */
    DECLARED,
    /** All commits that were acknowledged before the call was made. */
    STRICT,
    /** One state of the whole database; one that was the newest a moment ago will do. Delays nobody's reply. */
    SNAPSHOT
}
