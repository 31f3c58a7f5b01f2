package dev.fulmar.node.jmx;

import dev.fulmar.reconfig.move.Reconfiguration;

/** Shows the newest reconfiguration. */
record ReconfigurationBean(Reconfiguration reconfiguration) implements ReconfigurationMXBean {
    private static final double NANOS_PER_SECOND = 1e9;

    @Override
    public String getState() {
        return reconfiguration.status().state().name();
    }

    @Override
    public String getMessage() {
        return reconfiguration.status().message();
    }

    @Override
    public String getCurrent() {
        return reconfiguration.status().current();
    }

    @Override
    public int getRangesLeft() {
        return reconfiguration.status().rangesLeft();
    }

    @Override
    public long getBucketsMoved() {
        return reconfiguration.status().bucketsMoved();
    }

    @Override
    public long getRowsMoved() {
        return reconfiguration.status().rowsMoved();
    }

    @Override
    public long getBytesSent() {
        return reconfiguration.status().bytesSent();
    }

    @Override
    public double getLastPauseSeconds() {
        return reconfiguration.status().lastPauseNanos() / NANOS_PER_SECOND;
    }

    @Override
    public double getWorstPauseSeconds() {
        return reconfiguration.status().worstPauseNanos() / NANOS_PER_SECOND;
    }
}
