package dev.fulmar.node.jmx;

/** The last backup since the start. */
public interface BackupMXBean {
    @Gauge(
            "State of the last backup: NONE, WAITING_FOR_CHECKPOINT, COPYING_CHECKPOINTS, CUTTING, COPYING_LOG, DONE or FAILED.")
    String getState();

    @Gauge("Directory of the last backup.")
    String getDirectory();

    @Gauge("Bytes that the last backup has copied so far.")
    long getCopiedBytes();

    @Gauge("Bytes that the last backup has to copy, as far as it is known.")
    long getTotalBytes();

    @Gauge("Commits up to this timestamp are in the last backup; 0 until it is known.")
    long getTimestamp();

    @Gauge("How long the last backup took; 0 until it is done.")
    double getSeconds();

    @Gauge("Why the last backup failed, or an empty text.")
    String getFailure();

    @Gauge("Why the log cannot be archived now, or an empty text.")
    String getArchiveFailure();
}
