package dev.fulmar.node.jmx;

import java.util.Map;

/** The checkpoints of a durable database. Counts are since the start. */
public interface CheckpointMXBean {
    @Gauge(
            "IDLE, COLLECTING or WAITING_FOR_LOG; WAITING_FOR_SPACE while the device is full; FAILED once no more checkpoints are taken.")
    String getState();

    @Gauge("Partitions of the round under way that are done; the catalog counts as one.")
    int getRoundPartitionsDone();

    @Gauge("Partitions of the round under way; the catalog counts as one.")
    int getRoundPartitions();

    @Counter("Rounds in which every partition had a checkpoint.")
    long getRounds();

    @Counter("Checkpoints of single partitions.")
    long getCheckpoints();

    @Gauge("How long the last round took.")
    double getLastRoundSeconds();

    @Gauge("Why the last round began: LOG_SIZE, DIRTY_MEMORY, RECOVERY_TIME, LOG_FULL, SPACE or REQUEST.")
    String getLastReason();

    @Gauge("By stream (-2 is the catalog), the sequence of the last record that its checkpoint covers.")
    Map<String, Long> getPositions();

    @Counter("Images of rows that went to checkpoint logs.")
    long getRowImages();

    @Counter("Images of rows that went on from checkpoint logs to master heaps.")
    long getWrittenBack();

    @Counter("Images of rows in checkpoint logs that a newer one made needless before they were written back.")
    long getSuperseded();

    @Counter("Bytes written to checkpoint logs.")
    long getClogBytes();

    @Counter("Bytes written to master heaps.")
    long getMasterBytes();

    @Counter("Zeros written to master heaps where they grew.")
    long getMasterZeroBytes();

    @Counter("Bytes of master heaps whose space the file system got back.")
    long getGivenBackBytes();

    @Counter("Bytes written to superblocks.")
    long getSuperblockBytes();

    @Counter("Bytes written to the operation log's files, padding and seals included.")
    long getOperationLogBytes();

    @Gauge("Bytes that the operation log wrote for each byte of its records.")
    double getOperationLogAmplification();

    @Gauge("Bytes that checkpoint logs wrote for each byte of log records.")
    double getClogAmplification();

    @Gauge("Bytes that master heaps wrote for each byte of log records.")
    double getMasterAmplification();

    @Gauge("Bytes written in all for each byte of log records.")
    double getWriteAmplification();

    @Counter("Segments of checkpoint logs that were written back and deleted.")
    long getReclaimedSegments();

    @Gauge("Rows changed since their last checkpoint, roughly in bytes.")
    long getDirtyBytes();

    @Gauge("Bytes of log that a restart would replay now.")
    long getLogBytesSinceRound();

    @Gauge("Bytes of checkpoints that a restart would load now.")
    long getStoredBytes();

    @Gauge("How long a restart would take now, by the speeds of the last one.")
    double getRestartSeconds();

    @Gauge("How long a restart may take: the setting recovery.objective.")
    double getRecoveryObjectiveSeconds();

    @Gauge("Why no checkpoint is taken any more, or why one waits; or an empty text.")
    String getFailure();
}
