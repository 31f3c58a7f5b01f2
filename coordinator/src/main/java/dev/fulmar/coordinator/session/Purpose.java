package dev.fulmar.coordinator.session;

/** Reason for which a session waits for an answer of the database. */
enum Purpose {
    /** Statements run. */
    STATEMENTS(OpenSession.State.RUNNING),
    /** A question to the transaction's snapshot. */
    READ(OpenSession.State.RUNNING),
    COMMIT(OpenSession.State.COMMITTING),
    /** The lease of the rows that the next statement reads. */
    LEASE(OpenSession.State.WAITING),
    /** The lease of rows that a statement is to change. */
    TURN(OpenSession.State.WAITING);

    private final OpenSession.State state;

    Purpose(OpenSession.State state) {
        this.state = state;
    }

    /** State of a session that waits so. */
    OpenSession.State state() {
        return state;
    }
}
