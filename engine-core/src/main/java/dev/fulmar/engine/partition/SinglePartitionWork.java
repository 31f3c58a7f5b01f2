package dev.fulmar.engine.partition;

import dev.fulmar.engine.spi.AbsentData;
import dev.fulmar.engine.spi.DataNeed;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.FulmarException;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that runs on one partition from begin to end. One object goes with it through the inbox, the execution
 * and the reply.
 */
public abstract non-sealed class SinglePartitionWork implements PartitionMessage, CommitGate.GatedReply {
    /** The end of the execution. */
    public enum Verdict {
        /** Its changes stand. */
        COMMIT,
        /** It failed; its changes are to be undone. */
        ABORT,
        /**
         * It needs other partitions; its changes are to be undone and {@link #leave} starts it as a multi-partition
         * transaction.
         */
        RERUN,
        /**
         * It needs data that is not here; its changes are to be undone, and it runs again when the data is here. It has
         * told by {@link #awaits} what it needs.
         */
        AWAIT,
        /** There was nothing to do: it is a retry, and its answer exists or is on the way. */
        DUPLICATE
    }

    /** Counted by the inbox among those that may take long. */
    boolean countsAsLong;

    /** Place in the order of arrival, if it had to wait. */
    long arrival;

    /** Set while the transaction waits for a lock holder's decision. */
    Verdict speculativeVerdict = Verdict.ABORT;

    /** End of its changes while it waits for a lock holder's decision. */
    long speculativeEnd;

    /** It was undone afterwards: the answer tells nothing of the data and waits for nothing. */
    boolean refused;

    private @Nullable AbsentData absent;

    /** How often it has waited for data: the end of an earlier wait resumes nothing. */
    int waits;

    /** The log's note of the changes while the transaction waits for a lock holder's decision. Owned by the log. */
    private byte @Nullable [] noted;

    /** Tells what the execution, which ends with {@link Verdict#AWAIT}, needs. */
    protected final void awaits(DataNeed missing) {
        absent = new AbsentData(missing);
    }

    /** The data that the last execution lacked. */
    final DataNeed takeNeed() {
        AbsentData told = absent;
        if (told == null) {
            throw Invariants.breach("a transaction that waits for data says which");
        }
        absent = null;
        return told.need();
    }

    /** For the log: keeps what it noted of the changes. */
    public final void note(byte[] changes) {
        noted = changes;
    }

    /** For the log: what it noted of the changes, which is not needed any more then. */
    public final byte @Nullable [] takeNote() {
        byte[] taken = noted;
        noted = null;
        return taken;
    }

    /**
     * The outcome that a retry must find after a restart; null if no client will retry. Asked after a successful
     * execution.
     */
    public @Nullable RequestOutcome outcome() {
        return null;
    }

    /**
     * The call that can run again, in place of a record of what it changed; null if another run might differ. Asked
     * after a successful execution.
     */
    public @Nullable RepeatableCall repeatable() {
        return null;
    }

    /**
     * Whether the execution may take long: whatever is not known to be quick. Asked once, by the thread that puts it
     * into the inbox.
     */
    protected boolean mayTakeLong() {
        return true;
    }

    /**
     * Runs the transaction on the partition's thread and keeps the answer. Must not let an exception escape that it can
     * answer with.
     */
    protected abstract Verdict execute(Partition partition);

    /** The execution let an exception escape, which is a defect; the answer says so. */
    protected abstract void broke(Throwable cause);

    /**
     * It was executed, and its changes are undone all the same; the answer says why. The log cannot take them, or the
     * transaction would have to wait for data where too many do.
     */
    protected void undoneAfterwards(FulmarException refusal) {
        broke(refusal);
    }

    /** Another node has the partition: the work goes there, or is refused. Nothing of it was executed. */
    public void turnedAway(Partition partition) {
        refused(partition.id());
    }

    /** The verdict stands and cannot be revoked any more; the reply follows by {@link #leave}. */
    protected abstract void settled(Partition partition, Verdict verdict, long commitTimestamp);

    /** The execution was undone because the lock holder before it aborted; it will be executed again. */
    protected abstract void revoked(Partition partition);
}
