package dev.fulmar.node.jmx;

/** The newest reconfiguration of the database. Its figures are the sum of what nodes have told. */
public interface ReconfigurationMXBean {
    @Gauge("NONE, RUNNING, PAUSED, DONE or CANCELLED.")
    String getState();

    @Gauge("Why it is paused; empty if an operator has paused it, or it is not paused.")
    String getMessage();

    @Gauge("The bucket that moves, or is cut; empty if none is.")
    String getCurrent();

    @Gauge("Ranges of keys that are still to change their partition.")
    int getRangesLeft();

    @Gauge("Ranges of these in the buckets that move at the moment.")
    long getRangesMoving();

    @Gauge("Ranges, or parts of ranges, whose move has not begun.")
    long getRangesWaiting();

    @Gauge("Ranges, or parts of ranges, whose rows are being copied.")
    long getRangesCopying();

    @Gauge("Ranges, or parts of ranges, that are about to be handed over.")
    long getRangesHandingOver();

    @Gauge("Ranges, or parts of ranges, whose last move was undone, or which a cancel left at their sources.")
    long getRangesUndone();

    @Gauge("Ranges of keys that were handed over.")
    long getRangesMoved();

    @Gauge("Buckets that were handed over.")
    long getBucketsMoved();

    @Gauge("Rows of the buckets that were handed over.")
    long getRowsMoved();

    @Gauge("Rows of the buckets that keys are still to leave; a bucket that is to be cut counts as a whole.")
    long getRowsLeft();

    @Gauge("Seconds until the end at the speed so far; -1 before the first rows have moved.")
    long getSecondsLeft();

    @Gauge("Pause between two chunks that calls need: by the budget of the reconfiguration, or because rows are staged"
            + " slowly; 0 if none is.")
    double getDelaySeconds();

    @Gauge("Bytes of rows that were sent, also of those that were sent again.")
    long getBytesSent();

    @Gauge("How long calls waited at the last hand-off, on the partition that its bucket left.")
    double getLastPauseSeconds();

    @Gauge("The longest of these times.")
    double getWorstPauseSeconds();
}
