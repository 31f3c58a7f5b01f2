package dev.fulmar.coordinator.request;

/** What a transaction over several partitions that only reads may show. */
public enum ReadConsistency {
    /** What the procedure declares; strict if it declares nothing. */
    DECLARED,
    /** Everything that was acknowledged before the request was sent. */
    STRICT,
    /** One state of the whole database that was the newest one a moment ago; holds nobody's reply back. */
    SNAPSHOT
}
