package dev.fulmar.node.jmx;

import java.util.Map;

/** The checkpoints of a durable database. Counts are since the start. */
public interface CheckpointMXBean {
    /** IDLE, COLLECTING or WAITING_FOR_LOG; WAITING_FOR_SPACE while the device is full, FAILED once there are no more. */
    String getState();

    /** Partitions of the round under way that are done, and how many it has; the catalog counts as one. */
    int getRoundPartitionsDone();

    int getRoundPartitions();

    /** Rounds in which every partition had a checkpoint. */
    long getRounds();

    /** Checkpoints of single partitions. */
    long getCheckpoints();

    double getLastRoundSeconds();

    /** LOG_SIZE, DIRTY_MEMORY, RECOVERY_TIME or REQUEST. */
    String getLastReason();

    /** By stream (-2 is the catalog), the sequence of the last record that its checkpoint covers. */
    Map<String, Long> getPositions();

    /** Images of rows that went to checkpoint logs. */
    long getRowImages();

    /** Of those, the ones that reached the master heap, and the ones that a newer one made needless before. */
    long getWrittenBack();

    long getSuperseded();

    long getClogBytes();

    long getMasterBytes();

    /** Zeros written to master heaps where they grew. */
    long getMasterZeroBytes();

    long getSuperblockBytes();

    /** Bytes of the operation log's files, all of them included. */
    long getOperationLogBytes();

    /** Bytes written for each byte of log records: by the operation log, the checkpoint logs, the master heaps, and in all. */
    double getOperationLogAmplification();

    double getClogAmplification();

    double getMasterAmplification();

    double getWriteAmplification();

    /** Segments of checkpoint logs that were written back and deleted. */
    long getReclaimedSegments();

    /** Rows changed since their last checkpoint, roughly in bytes. */
    long getDirtyBytes();

    /** Log that a restart would replay now. */
    long getLogBytesSinceRound();

    /** Checkpoints that a restart would load now. */
    long getStoredBytes();

    /** How long a restart would take now, by the speeds of the last one. */
    double getRestartSeconds();

    /** How long it may take, setting recovery.objective. */
    double getRecoveryObjectiveSeconds();

    /** Why no checkpoint is taken any more, or why one waits; or an empty text. */
    String getFailure();
}
