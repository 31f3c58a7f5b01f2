package dev.fulmar.engine.partition;

/**
 * A task for a partition's thread, such as statistics, movements of data or maintenance. Runs between two transactions,
 * even while the lock is held, so it must not take what it sees for committed unless {@link Partition#isQuiescent()}.
 */
public non-sealed interface PartitionTask extends PartitionMessage {
    /** Does a bounded piece of work. */
    void run(Partition partition);
}
