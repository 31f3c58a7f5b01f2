package dev.fulmar.coordinator.request;

/** End of a session's transaction when all its statements have run. */
public enum ScriptEnding {
    /** It is undone, and the results of its new statements are the answer, as {@link ScriptResults}. */
    UNDO,
    /** It commits. */
    COMMIT,
    /**
     * Nothing ran: who asks wants to know what became of an earlier COMMIT with the same handle. One that was not
     * executed never will be.
     */
    ASK,
    /**
     * Nothing runs: the transaction wants the lease of the rows that its statement reads, if that says so. The answer's
     * value is 1 if the result must stay as it is until the transaction ends. An answer that is a table is the
     * statement's result, which leaves out the row that another transaction has: it tells nothing of what is stored.
     */
    LEASE,
    /** As {@link #LEASE}, whatever the statement says; without the lease it goes on after a moment. */
    QUEUE,
    /** Nothing runs: the transaction's leases end, where the rows of its statements are, or here if there are none. */
    RELEASE,
    /**
     * The changes of the catalog that its statements are count, all of them. For the node that makes those; without
     * statements, the question whether the changes under the handle were made. If not, they never will be.
     */
    CHANGE,
    /**
     * As {@link #UNDO}, unless a new change is of rows that another transaction keeps from writers. Then nothing runs,
     * and the answer is an {@link AwaitedTurn}.
     */
    TRY,
    /** As {@link #LEASE}, of the rows that its statement changes; without the lease it goes on after a moment. */
    TURN,
    /** As {@link #LEASE} or {@link #TURN}, of the rows that are at the node that gets it. */
    LEASE_HERE;

    /** Whether nothing of the statements stays. */
    public boolean undoes() {
        return this == UNDO || this == TRY;
    }
}
