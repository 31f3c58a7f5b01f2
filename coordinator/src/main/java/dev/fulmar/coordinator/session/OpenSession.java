package dev.fulmar.coordinator.session;

import dev.fulmar.wire.session.TransactionMode;

/**
 * A transaction that a client has open, as it was when it was last heard of.
 *
 * @param client its address, for people; empty if it has none
 * @param user its name; empty where clients do not log in
 * @param number of the transaction, by which the client tells its own apart
 * @param sinceMicros when it began, since the epoch
 * @param state what it does
 * @param stateNanos for how long it has done that
 * @param statements that it keeps
 * @param bytes that it takes
 * @param leases of rows and ranges that it has, or may have
 * @param mode as far as its client has said
 */
public record OpenSession(
        String client,
        String user,
        long number,
        long sinceMicros,
        State state,
        long stateNanos,
        int statements,
        long bytes,
        int leases,
        TransactionMode mode) {
    /** States of a transaction that is open. */
    public enum State {
        /** Its client thinks. */
        IDLE,
        /** Statements are executed. */
        RUNNING,
        /** Its next statement waits for the lease of a row or a range. */
        WAITING,
        /** COMMIT is executed. */
        COMMITTING,
        /** It can only end. */
        FAILED
    }
}
