package dev.fulmar.engine.undo;

import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.version.VersionRecord;
import dev.fulmar.foundation.check.Invariants;

/**
 * Accounts for the committed records that an undo log keeps for snapshot readers, and releases each that no reader
 * needs any more. One thread.
 */
final class KeptVersions {
    private static final int INSERT = VersionRecord.INSERT;
    private static final int UPDATE = VersionRecord.UPDATE;
    private static final int DELETE = VersionRecord.DELETE;
    private static final int KEY_CHANGE = VersionRecord.KEY_CHANGE;
    private static final int KIND = VersionRecord.KIND;
    private static final int ROW = VersionRecord.ROW;
    private static final int RECORD_BYTES = VersionRecord.RECORD_BYTES;
    private static final int DETAIL = VersionRecord.DETAIL;
    private static final int HEADER_BYTES = VersionRecord.HEADER_BYTES;

    /** Records whose rows are read together; they stay in the cache until they are given back. */
    private static final int READ_AHEAD = 16;

    private final UndoLog log;
    private long heldBytes;
    private boolean forgotten;

    /** Kept changes of a key to one under which the row had an entry already. */
    private long revivedKeys;

    @SuppressWarnings("UnusedVariable") // keeps what is read ahead from being optimised away
    private long read;

    KeptVersions(UndoLog log) {
        this.log = log;
    }

    /** Bytes of the records, and of what they keep from being freed. */
    long heldBytes() {
        return heldBytes;
    }

    /** Whether no record is held any more. */
    boolean isNothing() {
        return heldBytes == 0 && revivedKeys == 0;
    }

    /** The records are gone, and what they hold goes with the tables. */
    void forget() {
        forgotten = true;
        heldBytes = 0;
        revivedKeys = 0;
    }

    /** Whether records were forgotten since the last one came. */
    boolean hasForgotten() {
        return forgotten;
    }

    /** The record is one of a commit now. */
    void keep(long record, long commitTimestamp) {
        long row = OffHeap.getLong(record + ROW);
        OffHeap.putLong(record + VersionRecord.COMMIT_TIMESTAMP, commitTimestamp);
        forgotten = false;
        switch (OffHeap.getInt(record + KIND)) {
            case INSERT -> {
                OffHeap.putLong(row + RowLayout.COMMIT_TIMESTAMP_OFFSET, commitTimestamp);
                stampFirstVersion(row, commitTimestamp);
            }
            case UPDATE -> OffHeap.putLong(row + RowLayout.COMMIT_TIMESTAMP_OFFSET, commitTimestamp);
            case KEY_CHANGE -> revivedKeys += OffHeap.getInt(record + DETAIL) == 0 ? 1 : 0;
            default -> {}
        }
        heldBytes += heldBy(record);
        if (Invariants.EXPENSIVE && isVersion(record)) {
            long older = VersionRecord.older(record);
            Invariants.check(
                    older == 0
                            || (VersionRecord.commitTimestamp(older) != 0
                                    && VersionRecord.commitTimestamp(older) <= commitTimestamp),
                    "a row's versions have descending commit timestamps from the newest to the oldest");
        }
    }

    /** Whether the record is a link in the chain of its row's versions. */
    private static boolean isVersion(long record) {
        int kind = VersionRecord.kind(record);
        return kind == UPDATE || kind == DELETE;
    }

    /** The row may have been changed since its insertion, which has no place in the chain of its versions. */
    private static void stampFirstVersion(long row, long commitTimestamp) {
        long oldest = 0;
        for (long record = RowLayout.versionLink(row); record != 0; record = VersionRecord.older(record)) {
            oldest = record;
        }
        if (oldest != 0 && VersionRecord.kind(oldest) == UPDATE) {
            OffHeap.putLong(oldest + HEADER_BYTES + RowLayout.COMMIT_TIMESTAMP_OFFSET, commitTimestamp);
        }
    }

    /** Bytes of the record and of what it keeps from being freed. */
    private long heldBy(long record) {
        int kind = OffHeap.getInt(record + KIND);
        long bytes = OffHeap.getInt(record + RECORD_BYTES);
        long row = OffHeap.getLong(record + ROW);
        return switch (kind) {
            case UPDATE ->
                bytes + log.target(record).updateHolds(record + HEADER_BYTES, OffHeap.getInt(record + DETAIL));
            case DELETE -> bytes + log.target(record).deleteHolds(row);
            default -> bytes;
        };
    }

    /**
     * Reads the rows of the next records at once, so that the processor waits for memory once, and not for each of
     * them.
     *
     * @param end where the records of the page end
     * @return of how many records; at least one
     */
    int readAhead(long first, long end, long most) {
        int limit = (int) Math.max(1, Math.min(READ_AHEAD, most));
        long record = first;
        long sum = 0;
        int count = 0;
        while (count < limit && record != end) {
            sum += RowLayout.versionLink(VersionRecord.row(record));
            record += OffHeap.getInt(record + RECORD_BYTES);
            count++;
        }
        read += sum;
        return count;
    }

    /** Releases the record, which no reader needs any more, nor any that is older. */
    void giveBack(long record) {
        if (Invariants.EXPENSIVE) {
            Invariants.check(
                    !isVersion(record) || VersionRecord.older(record) == 0,
                    "a log gives a row's versions back oldest first");
        }
        heldBytes -= heldBy(record);
        Invariants.check(heldBytes >= 0, "a log gives back no more memory of versions than it held");
        long row = OffHeap.getLong(record + ROW);
        switch (OffHeap.getInt(record + KIND)) {
            case UPDATE -> {
                cut(record);
                log.target(record).releaseUpdate(row, record + HEADER_BYTES, OffHeap.getInt(record + DETAIL));
            }
            case DELETE -> log.target(record).releaseDelete(row);
            case KEY_CHANGE -> {
                revivedKeys -= OffHeap.getInt(record + DETAIL) == 0 ? 1 : 0;
                Invariants.check(revivedKeys >= 0, "a log counts each revived key that it keeps");
                log.target(record).releaseKeyChange(row, record + HEADER_BYTES, revivedKeys > 0);
            }
            default -> {}
        }
    }

    /** The record is the oldest of its row; what is newer ends there from now on. */
    private static void cut(long record) {
        long newer = VersionRecord.newer(record);
        if (Invariants.EXPENSIVE) {
            Invariants.check(
                    RowLayout.versionLink(newer == 0 ? VersionRecord.row(record) : newer + HEADER_BYTES) == record,
                    "a row and each of its versions name the version before");
        }
        if (newer == 0) {
            RowLayout.setVersionLink(VersionRecord.row(record), 0);
            return;
        }
        RowLayout.setVersionLink(newer + HEADER_BYTES, 0);
        if (VersionRecord.kind(newer) == UPDATE) {
            OffHeap.putLong(
                    newer + HEADER_BYTES + RowLayout.COMMIT_TIMESTAMP_OFFSET, VersionRecord.commitTimestamp(record));
        }
    }
}
