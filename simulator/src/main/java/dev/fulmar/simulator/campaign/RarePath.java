package dev.fulmar.simulator.campaign;

import java.util.Arrays;
import java.util.List;

/** Paths that a campaign must have reached to be believed. */
public enum RarePath {
    LOCK_WAIT,
    WOUND,
    RESTART,
    SPECULATION,
    /** A lock holder's abort undid a transaction that had run after its vote. */
    SPECULATION_UNDONE,
    /** The same for several at once. */
    SPECULATION_CASCADE,
    MISMATCH_RERUN,
    /** A retry was answered with the first outcome. */
    RETRY_RECOGNISED,
    ROLLBACK,
    /** A transaction committed in which a statement had failed half-way. */
    STATEMENT_UNDONE,
    /** The server gave a request up. */
    SERVER_TIMEOUT,
    SERVER_BUSY,
    /** A client gave up and does not know. */
    OUTCOME_UNKNOWN,
    CATALOG_CHANGE,
    PROCEDURES_REPLACED,
    /** A reply or vote waited for a strict reader of a snapshot. */
    REPLY_HELD,
    /** A vote was asked back for a strict reader. */
    VOTE_RECALLED,
    /** A reader of a snapshot waited for a prepared transaction. */
    SNAPSHOT_WAITED,
    /** A change between two slices of a snapshot. */
    SNAPSHOT_OVERTAKEN,
    /** A reader of a snapshot was given up. */
    SNAPSHOT_EXPIRED,
    /** A bucket was handed over to another partition. */
    BUCKET_MOVED;

    /** Names of all. */
    public static List<String> names() {
        return Arrays.stream(values()).map(Enum::name).toList();
    }
}
