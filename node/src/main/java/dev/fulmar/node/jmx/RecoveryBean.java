package dev.fulmar.node.jmx;

import dev.fulmar.coordinator.durability.environment.RecoveryFigures;

/** Shows the recovery. */
record RecoveryBean(RecoveryFigures figures) implements RecoveryMXBean {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BYTES_PER_MEGABYTE = 1e6;

    @Override
    public String getPhase() {
        return figures.phase().name();
    }

    @Override
    public long getLoadedRows() {
        return figures.loadedRows();
    }

    @Override
    public long getLoadedBytes() {
        return figures.loadedBytes();
    }

    @Override
    public double getLoadSeconds() {
        return figures.loadNanos() / NANOS_PER_SECOND;
    }

    @Override
    public double getLoadMegabytesPerSecond() {
        return speed(figures.loadedBytes(), getLoadSeconds());
    }

    @Override
    public long getLogBytes() {
        return figures.logBytes();
    }

    @Override
    public long getReplayedBytes() {
        return figures.replayedBytes();
    }

    @Override
    public double getReplaySeconds() {
        return figures.replayNanos() / NANOS_PER_SECOND;
    }

    @Override
    public double getReplayMegabytesPerSecond() {
        return speed(figures.replayedBytes(), getReplaySeconds());
    }

    @Override
    public double getReplayPart() {
        return figures.replayPart();
    }

    @Override
    public double getEstimatedSecondsLeft() {
        return figures.leftSeconds();
    }

    @Override
    public long getTransactions() {
        return figures.transactions();
    }

    @Override
    public long getRowChanges() {
        return figures.rowChanges();
    }

    @Override
    public double getTotalSeconds() {
        return figures.totalNanos() / NANOS_PER_SECOND;
    }

    private static double speed(long bytes, double seconds) {
        return seconds == 0 ? 0 : bytes / BYTES_PER_MEGABYTE / seconds;
    }
}
