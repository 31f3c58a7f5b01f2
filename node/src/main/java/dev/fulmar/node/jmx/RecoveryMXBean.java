package dev.fulmar.node.jmx;

/** The recovery of this start: its progress while it runs, its outcome afterwards. */
public interface RecoveryMXBean {
    @Gauge("READING, LOADING, REPLAYING or DONE.")
    String getPhase();

    @Gauge("Rows that came from checkpoints.")
    long getLoadedRows();

    @Gauge("Bytes of rows that came from checkpoints.")
    long getLoadedBytes();

    @Gauge("How long loading checkpoints took.")
    double getLoadSeconds();

    @Gauge("Speed of loading checkpoints.")
    double getLoadMegabytesPerSecond();

    @Gauge("Bytes of log that were read.")
    long getLogBytes();

    @Gauge("Bytes of log that no checkpoint covered, and that were replayed.")
    long getReplayedBytes();

    @Gauge("How long the replay took.")
    double getReplaySeconds();

    @Gauge("Speed of the replay.")
    double getReplayMegabytesPerSecond();

    @Gauge("Part of the log that is replayed, 0 to 1.")
    double getReplayPart();

    @Gauge("How long the replay may still take.")
    double getEstimatedSecondsLeft();

    @Gauge("Transactions that were replayed.")
    long getTransactions();

    @Gauge("Changes of rows that were replayed.")
    long getRowChanges();

    @Gauge("How long the recovery took.")
    double getTotalSeconds();
}
