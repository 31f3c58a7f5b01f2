package dev.fulmar.simulator.cluster;

/** Paths of transactions that clients send statement by statement. */
enum SessionPath {
    /** A transaction was committed, and its client heard of it at once. */
    COMMITTED,
    /** A transaction of level SNAPSHOT was committed. */
    COMMITTED_AT_SNAPSHOT,
    /** A transaction was shown all money in two queries. */
    ADDED_UP,
    /** A transaction that only reads was shown all money in two queries, and in a cursor's parts. */
    AUDITED,
    /** A transaction had the lease of a row, perhaps after others. */
    QUEUED,
    /** One had the lease of a range of one partition. */
    QUEUED_FOR_RANGE,
    /** One had the lease of a range over partitions, of perhaps several nodes. */
    QUEUED_FOR_SPAN,
    /** Another transaction had changed what one had read. */
    CONFLICT,
    /** A transaction between BEGIN and COMMIT was committed over PostgreSQL's protocol. */
    COMMITTED_OVER_POSTGRES,
    /** Statements that came together over PostgreSQL's protocol were committed as one transaction. */
    IMPLICIT,
    /** One of them failed, and none counts. */
    IMPLICIT_FAILED,
    /** A COPY was committed. */
    COPIED,
    /** A COMMIT of a failed transaction rolled it back. */
    COMMIT_ROLLED_BACK,
    /** A failed transaction went back to a savepoint, and was committed. */
    RECOVERED,
    /** A client that had not heard of its COMMIT was told that it was executed. */
    ASKED_AND_COMMITTED,
    /** A client that had not heard of its COMMIT was told that it never will be executed. */
    ASKED_AND_NOT_COMMITTED
}
