package dev.fulmar.engine.partition;

/**
 * A transaction that runs on one partition from begin to end. One object goes with it through the inbox, the execution and the
 * reply.
 */
public abstract non-sealed class SinglePartitionWork implements PartitionMessage, CommitGate.Departure {
    /** How the execution ended. */
    public enum Verdict {
        /** Its changes stand. */
        COMMIT,
        /** It failed; its changes are to be undone. */
        ABORT,
        /** It needs other partitions; its changes are to be undone and {@link #leave} starts it as a multi-partition transaction. */
        RERUN,
        /** There was nothing to do: it is a retry, and its answer exists or is on the way. */
        DUPLICATE
    }

    /** Place in the order of arrival, if it had to wait. */
    long arrival;

    /** Set while the transaction waits for a lock holder's decision. */
    Verdict speculativeVerdict = Verdict.ABORT;

    /** End of its changes while it waits for a lock holder's decision. */
    long speculativeEnd;

    /** Runs the transaction on the partition's thread and keeps the answer. Must not let an exception escape that it can answer with. */
    protected abstract Verdict execute(Partition partition);

    /** The execution let an exception escape, which is a defect; the answer says so. */
    protected abstract void broke(Throwable cause);

    /** The verdict stands and cannot be revoked any more; the reply follows by {@link #leave}. */
    protected abstract void settled(Partition partition, Verdict verdict, long commitTimestamp);

    /** The execution was undone because the lock holder before it aborted; it will be executed again. */
    protected abstract void revoked(Partition partition);
}
