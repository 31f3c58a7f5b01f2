package dev.fulmar.wire.session;

/** Level of isolation: how much a transaction of many statements may see of others. */
public enum Isolation {
    /**
     * Each statement sees what was committed before it. Other transactions may change what an earlier query has read,
     * unless that was {@code FOR UPDATE} or {@code FOR SHARE}.
     */
    READ_COMMITTED,
    /** As if all statements had run at the moment of the commit. */
    SERIALIZABLE
}
