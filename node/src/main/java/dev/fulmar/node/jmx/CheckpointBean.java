package dev.fulmar.node.jmx;

import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.coordinator.durability.checkpoint.Checkpoints;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.checkpoint.CheckpointCounters;
import dev.fulmar.pmemlog.checkpoint.Checkpointer;
import java.util.Map;
import java.util.TreeMap;

/** Shows the checkpoints. */
final class CheckpointBean implements CheckpointMXBean {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Durability durability;
    private final Checkpoints checkpoints;

    CheckpointBean(Durability durability, Checkpoints checkpoints) {
        this.durability = durability;
        this.checkpoints = checkpoints;
    }

    private Checkpointer checkpointer() {
        return checkpoints.checkpointer();
    }

    private CheckpointCounters counters() {
        return checkpoints.counters();
    }

    @Override
    public String getState() {
        if (checkpointer().failure() != null) {
            return "FAILED";
        }
        return checkpointer().shortage() != null
                ? "WAITING_FOR_SPACE"
                : checkpointer().stage().name();
    }

    @Override
    public int getRoundPartitionsDone() {
        return checkpointer().roundPartitionsDone();
    }

    @Override
    public int getRoundPartitions() {
        return checkpointer().roundPartitions();
    }

    @Override
    public long getRounds() {
        return counters().rounds();
    }

    @Override
    public long getCheckpoints() {
        return counters().checkpoints();
    }

    @Override
    public double getLastRoundSeconds() {
        return counters().lastRoundNanos() / NANOS_PER_SECOND;
    }

    @Override
    public String getLastReason() {
        return checkpointer().lastReason().name();
    }

    @Override
    public Map<String, Long> getPositions() {
        Map<String, Long> positions = new TreeMap<>();
        checkpoints
                .newestPositions()
                .forEach((stream, position) -> positions.put(Integer.toString(stream), position.sequence()));
        return positions;
    }

    @Override
    public long getRowImages() {
        return counters().rowImages();
    }

    @Override
    public long getWrittenBack() {
        return counters().writtenBack();
    }

    @Override
    public long getSuperseded() {
        return counters().superseded();
    }

    @Override
    public long getClogBytes() {
        return counters().clogBytes();
    }

    @Override
    public long getMasterBytes() {
        return counters().masterBytes();
    }

    @Override
    public long getMasterZeroBytes() {
        return counters().masterZeroBytes();
    }

    @Override
    public long getGivenBackBytes() {
        return counters().givenBackBytes();
    }

    @Override
    public long getSuperblockBytes() {
        return counters().superblockBytes();
    }

    @Override
    public long getOperationLogBytes() {
        return durability.counters().writtenBytes();
    }

    private double perRecordByte(long bytes) {
        long records = durability.counters().recordBytes();
        return records == 0 ? 0 : (double) bytes / records;
    }

    @Override
    public double getOperationLogAmplification() {
        return perRecordByte(getOperationLogBytes());
    }

    @Override
    public double getClogAmplification() {
        return perRecordByte(getClogBytes());
    }

    @Override
    public double getMasterAmplification() {
        return perRecordByte(getMasterBytes() + getMasterZeroBytes());
    }

    @Override
    public double getWriteAmplification() {
        return perRecordByte(getOperationLogBytes()
                + getClogBytes()
                + getMasterBytes()
                + getMasterZeroBytes()
                + getSuperblockBytes());
    }

    @Override
    public long getReclaimedSegments() {
        return counters().reclaimedSegments();
    }

    @Override
    public long getDirtyBytes() {
        return checkpointer().dirtyBytes();
    }

    @Override
    public long getLogBytesSinceRound() {
        return checkpointer().logBytesSinceRound();
    }

    @Override
    public long getStoredBytes() {
        return counters().storedBytes();
    }

    @Override
    public double getRestartSeconds() {
        return checkpoints.restartNanos() / NANOS_PER_SECOND;
    }

    @Override
    public double getRecoveryObjectiveSeconds() {
        return checkpointer().policy().recoveryNanos() / NANOS_PER_SECOND;
    }

    @Override
    public String getFailure() {
        FulmarException cause = checkpointer().failure();
        return LogBean.text(cause != null ? cause : checkpointer().shortage());
    }
}
