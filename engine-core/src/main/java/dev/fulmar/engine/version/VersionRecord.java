package dev.fulmar.engine.version;

import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.RowLayout;

/**
 * Form of an undo record, which is an earlier version of its row when its transaction has committed. A row's version
 * link names the newest UPDATE or DELETE record, and that record the one before. A record's payload lies behind its
 * header.
 *
 * <p>The state of a row after the change that a record stands for is in force from the record's commit timestamp on;
 * the state before it is the saved slot (UPDATE) or the slot of the row itself (DELETE, which changes nothing but a
 * flag).
 */
public final class VersionRecord {
    public static final int INSERT = 1;
    public static final int UPDATE = 2;
    public static final int DELETE = 3;
    public static final int BYTES = 4;
    public static final int KEY_CHANGE = 5;

    /** The record before in the order of changes; for undoing. */
    public static final int PREVIOUS = 0;

    public static final int ROW = 8;
    public static final int KIND = 16;
    public static final int TABLE = 20;
    public static final int RECORD_BYTES = 24;
    public static final int DETAIL = 28;

    /** The time when the change took effect, 0 while it is not committed. */
    public static final int COMMIT_TIMESTAMP = 32;

    /** The next newer record of the row, 0 if this is the newest. */
    public static final int NEWER = 40;

    public static final int HEADER_BYTES = 48;

    /** A DELETE has as much of a saved slot as names the next older record. */
    public static final int DELETE_PAYLOAD_BYTES = RowLayout.STATE_OFFSET;

    private VersionRecord() {}

    public static int kind(long record) {
        return OffHeap.getInt(record + KIND);
    }

    public static long row(long record) {
        return OffHeap.getLong(record + ROW);
    }

    public static int bytes(long record) {
        return OffHeap.getInt(record + RECORD_BYTES);
    }

    public static long commitTimestamp(long record) {
        return OffHeap.getLong(record + COMMIT_TIMESTAMP);
    }

    public static long newer(long record) {
        return OffHeap.getLong(record + NEWER);
    }

    /** The slot as it was before the change. */
    public static long slotBefore(long record) {
        return kind(record) == UPDATE ? record + HEADER_BYTES : row(record);
    }

    /** The next older record of the row, 0 if no older version is kept. */
    public static long older(long record) {
        return RowLayout.versionLink(record + HEADER_BYTES);
    }
}
