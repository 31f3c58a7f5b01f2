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
    PROCEDURES_REPLACED;

    /** Names of all. */
    public static List<String> names() {
        return Arrays.stream(values()).map(Enum::name).toList();
    }
}
