package dev.fulmar.node.jmx;

/** The recovery of this start: while it runs, how far it is; afterwards, what it came to. */
public interface RecoveryMXBean {
    /** READING, LOADING, REPLAYING or DONE. */
    String getPhase();

    /** Rows that came from checkpoints, and their bytes. */
    long getLoadedRows();

    long getLoadedBytes();

    double getLoadSeconds();

    double getLoadMegabytesPerSecond();

    /** Log that was read, and of it what no checkpoint covered. */
    long getLogBytes();

    long getReplayedBytes();

    double getReplaySeconds();

    double getReplayMegabytesPerSecond();

    /** Part of the log that is replayed, 0 to 1. */
    double getReplayPart();

    /** How long the replay may still take. */
    double getEstimatedSecondsLeft();

    long getTransactions();

    long getRowChanges();

    double getTotalSeconds();
}
