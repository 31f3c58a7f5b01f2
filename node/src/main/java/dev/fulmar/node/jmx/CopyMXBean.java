package dev.fulmar.node.jmx;

/** This node's copy of a partition, and who leads it. */
public interface CopyMXBean {
    @Gauge("Number of the partition.")
    int getPartition();

    @Gauge("PRIMARY, BACKUP, LEARNER; or NONE where no copy is to be on this node, or nothing is known yet.")
    String getRole();

    @Gauge("The term that the copy knows of; 0 before the first.")
    long getEpoch();

    @Gauge("Whether the copy executes requests.")
    boolean isServing();

    @Gauge("Whether the copy is damaged, since something failed half-way, and a new one replaces it.")
    boolean isBroken();

    @Counter("Snapshot reads that this copy answered while another node led.")
    long getSnapshotsServed();

    @Counter("Snapshot reads that this copy passed on to the primary, because it could not tell in time what it has.")
    long getSnapshotsPassedOn();

    @Gauge("The node that leads the partition, as far as it is known; -1 if it is not.")
    int getPrimary();

    @Gauge("The nodes whose copies are in sync.")
    String getInSync();
}
