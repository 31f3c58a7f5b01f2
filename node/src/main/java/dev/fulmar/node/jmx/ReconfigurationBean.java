package dev.fulmar.node.jmx;

import dev.fulmar.reconfig.move.Reconfiguration;
import dev.fulmar.reconfig.peer.RangeState;

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
        return reconfiguration.status().moved().current();
    }

    @Override
    public int getRangesLeft() {
        return reconfiguration.status().rangesLeft();
    }

    @Override
    public long getRangesMoving() {
        return reconfiguration.status().moved().ranges().moving();
    }

    @Override
    public long getRangesWaiting() {
        return ranges(RangeState.WAITING);
    }

    @Override
    public long getRangesCopying() {
        return ranges(RangeState.COPYING);
    }

    @Override
    public long getRangesHandingOver() {
        return ranges(RangeState.HANDING_OVER);
    }

    @Override
    public long getRangesUndone() {
        return ranges(RangeState.UNDONE);
    }

    private long ranges(RangeState state) {
        return reconfiguration.ranges().stream()
                .filter(range -> range.state() == state)
                .count();
    }

    @Override
    public long getRangesMoved() {
        return reconfiguration.status().moved().ranges().moved();
    }

    @Override
    public long getBucketsMoved() {
        return reconfiguration.status().moved().bucketsMoved();
    }

    @Override
    public long getRowsMoved() {
        return reconfiguration.status().moved().rowsMoved();
    }

    @Override
    public long getRowsLeft() {
        return reconfiguration.status().moved().outlook().rowsLeft();
    }

    @Override
    public long getSecondsLeft() {
        return reconfiguration.status().moved().outlook().secondsLeft();
    }

    @Override
    public double getDelaySeconds() {
        return reconfiguration.status().moved().outlook().delayNanos() / NANOS_PER_SECOND;
    }

    @Override
    public long getBytesSent() {
        return reconfiguration.status().moved().bytesSent();
    }

    @Override
    public double getLastPauseSeconds() {
        return reconfiguration.status().moved().lastPauseNanos() / NANOS_PER_SECOND;
    }

    @Override
    public double getWorstPauseSeconds() {
        return reconfiguration.status().moved().worstPauseNanos() / NANOS_PER_SECOND;
    }
}
