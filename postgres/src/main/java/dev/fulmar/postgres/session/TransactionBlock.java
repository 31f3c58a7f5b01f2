package dev.fulmar.postgres.session;

import dev.fulmar.wire.postgres.message.TransactionStatus;

/**
 * The transaction of a session: whether one is open, and its number. A client opens one with BEGIN; statements that
 * come together have one of their own, which is implicit.
 */
final class TransactionBlock {
    private enum State {
        NONE,
        IMPLICIT,
        EXPLICIT,
        /** The client has opened it, and it only ends. */
        FAILED
    }

    private State state = State.NONE;
    private long number;
    private boolean isReadOnly;

    TransactionStatus status() {
        return switch (state) {
            case NONE, IMPLICIT -> TransactionStatus.IDLE;
            case EXPLICIT -> TransactionStatus.IN_TRANSACTION;
            case FAILED -> TransactionStatus.FAILED;
        };
    }

    /** Number for the next transaction; no number is used twice. */
    long nextNumber() {
        return ++number;
    }

    /** Number of the transaction that is open, or was last. */
    long number() {
        return number;
    }

    boolean isOpen() {
        return state != State.NONE;
    }

    boolean isImplicit() {
        return state == State.IMPLICIT;
    }

    boolean hasFailed() {
        return state == State.FAILED;
    }

    /** Whether it reads one snapshot and changes nothing. */
    boolean isReadOnly() {
        return state != State.NONE && isReadOnly;
    }

    void readOnly(boolean isIt) {
        isReadOnly = isIt;
    }

    void opened(boolean isImplicit) {
        isReadOnly = false;
        state = isImplicit ? State.IMPLICIT : State.EXPLICIT;
    }

    /** BEGIN in an implicit transaction makes it the client's. */
    void becomeExplicit() {
        state = State.EXPLICIT;
    }

    void failed() {
        if (state == State.EXPLICIT) {
            state = State.FAILED;
        }
    }

    /** ROLLBACK TO has taken back what failed. */
    void recovered() {
        if (state == State.FAILED) {
            state = State.EXPLICIT;
        }
    }

    void ended() {
        state = State.NONE;
    }
}
