package dev.fulmar.wire.session;

/** Level of isolation: how much a transaction of many statements may see of others. */
public enum Isolation {
    /**
     * Each statement sees what was committed before it. Other transactions may change what an earlier query has read,
     * unless that was {@code FOR UPDATE} or {@code FOR SHARE}.
     */
    READ_COMMITTED,
    /**
     * All statements see one state with the transaction's own changes. At the commit the rows that it changes are as
     * they were in that state; what it has only read may have changed.
     */
    SNAPSHOT,
    /** As if all statements had run at the moment of the commit. */
    SERIALIZABLE;

    /** Whether all that a client is shown before the commit is of one state. */
    public boolean showsOneState() {
        return this != READ_COMMITTED;
    }
}
