package dev.fulmar.node.jmx;

import java.util.Map;

/** A partition. Rates are over the last seconds. */
public interface PartitionMXBean {
    int getPartition();

    int getQueueDepth();

    long getCommitted();

    double getCommittedPerSecond();

    long getDistributedCommitted();

    long getDistributedAborted();

    long getAborted();

    Map<String, Long> getAbortedByCode();

    /** Lock holders that yielded to an older transaction. */
    long getWounds();

    long getLockWaits();

    double getLockWaitSeconds();

    long getSpeculated();

    long getSpeculationsUndone();

    /** Single-partition transactions run again as multi-partition ones. */
    long getMismatchReruns();

    /** Retries answered with the first outcome. */
    long getDuplicates();

    /** Rows that went because they were too old (TTL). */
    long getExpiredRows();

    /** Batches of such rows that could not go. */
    long getExpiriesFailed();

    /** Readers of snapshots that registered here. */
    long getSnapshots();

    /** Of those, the ones that read now. */
    long getSnapshotsActive();

    /** Age of the oldest of those. */
    double getSnapshotOldestSeconds();

    /** Slices in which snapshots were read. */
    long getSnapshotSlices();

    /** Readers of snapshots that waited for a prepared transaction. */
    long getSnapshotsWaited();

    /** Readers of snapshots that took too long and were given up. */
    long getSnapshotsExpired();

    /** Replies and votes that were held back for a strict reader. */
    long getRepliesHeld();

    /** Votes that were asked back for a strict reader. */
    long getVotesRecalled();
}
