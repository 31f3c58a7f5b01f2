package dev.fulmar.benchmarks.experiment;

/**
 * What LLPL's TransactionalHeap, which is PMDK's undo log, writes when a transaction overwrites one range of bytes. Computed, not measured: for each range PMDK
 * writes an entry with the bytes as they were, rounded up to whole lines, then the new bytes, and keeps its log's state in lines of its
 * own. Beside bytes that an interposer on PMDK 1.12 counted for 8, 64, 256 and 1,024 bytes (144, 262, 640, 2,150) it is off by 2 % at most.
 */
final class UndoLogModel {
    /** Ordered waits for the device in a transaction of one range, counted by the same interposer. */
    static final int FENCES = 5;

    private static final int STATE_BYTES = 128;

    private UndoLogModel() {}

    /** Bytes flushed for a range of so many bytes. */
    static int bytes(int rangeBytes) {
        return 2 * rangeBytes + STATE_BYTES;
    }
}
