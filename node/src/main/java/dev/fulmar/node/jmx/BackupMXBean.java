package dev.fulmar.node.jmx;

/** The last backup since the start. */
public interface BackupMXBean {
    /** NONE, WAITING_FOR_CHECKPOINT, COPYING_CHECKPOINTS, CUTTING, COPYING_LOG, DONE or FAILED. */
    String getState();

    String getDirectory();

    long getCopiedBytes();

    /** What there is to copy, as far as it is known. */
    long getTotalBytes();

    /** Commits up to this timestamp are in the backup; 0 until it is known. */
    long getTimestamp();

    /** How long it took; 0 until it is done. */
    double getSeconds();

    /** Why it failed, or an empty text. */
    String getFailure();

    /** Why the log cannot be archived now, or an empty text. */
    String getArchiveFailure();
}
