package dev.fulmar.engine.partition.counter;

import dev.fulmar.foundation.error.ErrorCode;

/** Counts of a partition's work so far. Written by the thread that runs the partition. */
public final class PartitionCounters {
    /**
     * Messages and waiting transactions handled, whatever became of them: grows while the partition's thread gets on.
     */
    public final OwnedCounter steps = new OwnedCounter();
    /** Single-partition transactions committed. */
    public final OwnedCounter committed = new OwnedCounter();
    /** Multi-partition transactions that committed here. */
    public final OwnedCounter distributedCommitted = new OwnedCounter();
    /** Multi-partition transactions that were undone here, for whatever reason. */
    public final OwnedCounter distributedAborted = new OwnedCounter();
    /** Lock holders that yielded to an older transaction. */
    public final OwnedCounter wounds = new OwnedCounter();
    /** Requests for the partition's lock that had to wait. */
    public final OwnedCounter lockWaits = new OwnedCounter();
    /** Nanoseconds that those requests waited. */
    public final OwnedCounter lockWaitNanos = new OwnedCounter();
    /** Transactions run while the lock holder's outcome was open. */
    public final OwnedCounter speculated = new OwnedCounter();
    /** Of those, the ones undone because the lock holder aborted. */
    public final OwnedCounter speculationsUndone = new OwnedCounter();
    /** Single-partition transactions run again as multi-partition ones. */
    public final OwnedCounter mismatchReruns = new OwnedCounter();

    /** Times that a transaction waited for data that was not here. */
    public final OwnedCounter awaited = new OwnedCounter();

    /** Retries answered with the first outcome. */
    public final OwnedCounter duplicates = new OwnedCounter();
    /** Rows that went because they were too old. */
    public final OwnedCounter expiredRows = new OwnedCounter();
    /** Batches of such rows that could not go. */
    public final OwnedCounter expiriesFailed = new OwnedCounter();
    /** Requests that wait for the lock or for their turn behind it. */
    public final OwnedCounter deferred = new OwnedCounter();

    /** Replies and votes that waited for a strict reader. */
    public final OwnedCounter repliesHeld = new OwnedCounter();
    /** Votes that were asked back because a strict reader came. */
    public final OwnedCounter votesRecalled = new OwnedCounter();
    /** Readers of snapshots that registered. */
    public final OwnedCounter snapshots = new OwnedCounter();
    /** Of those, the ones that have not left. */
    public final OwnedCounter snapshotsActive = new OwnedCounter();
    /** The time when the oldest of those registered, by the monotonic clock; without meaning if there is none. */
    public final OwnedCounter snapshotsOldestNanos = new OwnedCounter();
    /** Memory that versions take. */
    public final OwnedCounter versionBytes = new OwnedCounter();
    /** The most that it was. */
    public final OwnedCounter versionBytesHighest = new OwnedCounter();
    /** Pieces of snapshot reading. */
    public final OwnedCounter snapshotSlices = new OwnedCounter();
    /** Of those, the ones before which something had been changed since the reading began. */
    public final OwnedCounter snapshotsOvertaken = new OwnedCounter();
    /** Readers of snapshots whose versions were given up. */
    public final OwnedCounter snapshotsExpired = new OwnedCounter();
    /** Readers of snapshots that waited for a prepared transaction. */
    public final OwnedCounter snapshotsWaited = new OwnedCounter();

    private final OwnedCounter[] abortedByCode = new OwnedCounter[ErrorCode.values().length];

    public PartitionCounters() {
        for (int i = 0; i < abortedByCode.length; i++) {
            abortedByCode[i] = new OwnedCounter();
        }
    }

    /** Notes what versions take now. */
    public void holdVersions(long bytes) {
        versionBytes.set(bytes);
        if (bytes > versionBytesHighest.get()) {
            versionBytesHighest.set(bytes);
        }
    }

    /** Single-partition transactions that failed with the code. */
    public OwnedCounter aborted(ErrorCode code) {
        return abortedByCode[code.ordinal()];
    }
}
