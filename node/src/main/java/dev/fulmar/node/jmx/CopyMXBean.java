package dev.fulmar.node.jmx;

/** This node's copy of a partition, and who leads it. */
public interface CopyMXBean {
    int getPartition();

    /** PRIMARY, BACKUP, LEARNER, or NONE where no copy is to be here or nothing is known yet. */
    String getRole();

    /** The term that the copy knows of; 0 before the first. */
    long getEpoch();

    /** Whether requests are executed here. */
    boolean isServing();

    /** Whether what is here is of no use because something failed half-way, and another copy is to be built in its place. */
    boolean isBroken();

    /** Readings of snapshots that were done here while another node led. */
    long getSnapshotsServed();

    /** Those that came here first and had to go to the node that leads, because the copy could not tell in time what it has. */
    long getSnapshotsPassedOn();

    /** The node that leads, as far as it is known; -1 if it is not. */
    int getPrimary();

    /** The nodes whose copies are in sync. */
    String getInSync();
}
