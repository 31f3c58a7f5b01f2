package dev.fulmar.client;

/** What a call that only reads several partitions may show. */
public enum Consistency {
    /** What the procedure declares by {@code @ReadOnly}; strict for a statement. */
    DECLARED,
    /** Everything that was acknowledged before the call was made. */
    STRICT,
    /** One state of the whole database; one that was the newest a moment ago will do. Delays nobody's reply. */
    SNAPSHOT
}
