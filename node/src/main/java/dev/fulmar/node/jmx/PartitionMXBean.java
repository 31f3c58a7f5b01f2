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
}
