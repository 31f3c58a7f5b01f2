package dev.fulmar.node.jmx;

import java.util.Map;

/** A partition. Rates are over the last seconds. */
public interface PartitionMXBean {
    @Gauge("Number of the partition.")
    int getPartition();

    @Gauge("Messages and transactions that wait for the partition.")
    int getQueueDepth();

    @Counter("Single-partition transactions that committed.")
    long getCommitted();

    @Gauge("Transactions committed per second, over the last seconds.")
    double getCommittedPerSecond();

    @Counter("Fragments of multi-partition transactions that committed.")
    long getDistributedCommitted();

    @Counter("Fragments of multi-partition transactions that were aborted.")
    long getDistributedAborted();

    @Counter("Single-partition transactions that were aborted.")
    long getAborted();

    @Counter("Single-partition transactions that were aborted, by error code.")
    Map<String, Long> getAbortedByCode();

    @Counter("Lock holders that yielded to an older transaction.")
    long getWounds();

    @Counter("Transactions that waited for a lock.")
    long getLockWaits();

    @Counter("Time for which transactions waited for locks, together.")
    double getLockWaitSeconds();

    @Counter("Transactions that were executed speculatively behind a prepared one.")
    long getSpeculated();

    @Counter("Transactions that were executed speculatively and undone.")
    long getSpeculationsUndone();

    @Counter("Single-partition transactions run again as multi-partition ones.")
    long getMismatchReruns();

    @Counter("Retries answered with the first outcome.")
    long getDuplicates();

    @Counter("Rows deleted because they were too old (TTL).")
    long getExpiredRows();

    @Counter("Batches of too old rows (TTL) that could not be deleted.")
    long getExpiriesFailed();

    @Counter("Readers of snapshots that registered with the partition.")
    long getSnapshots();

    @Gauge("Readers of snapshots under way.")
    long getSnapshotsActive();

    @Gauge("Age of the oldest reader of a snapshot.")
    double getSnapshotOldestSeconds();

    @Counter("Slices in which snapshots were read.")
    long getSnapshotSlices();

    @Counter("Readers of snapshots that waited for a prepared transaction.")
    long getSnapshotsWaited();

    @Counter("Readers of snapshots that took too long and were given up.")
    long getSnapshotsExpired();

    @Counter("Replies and votes that were held back for a strict reader.")
    long getRepliesHeld();

    @Counter("Votes that were asked back for a strict reader.")
    long getVotesRecalled();
}
