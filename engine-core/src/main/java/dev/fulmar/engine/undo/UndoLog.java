package dev.fulmar.engine.undo;

import dev.fulmar.engine.memory.BlockHeap;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Before-images of the running transaction of one partition, newest last. Also knows what must be released when it ends. Records lie in pages of native
 * memory and never move. One thread.
 */
public final class UndoLog implements AutoCloseable {
    /** What a record undoes. */
    private static final int INSERT = 1;

    private static final int UPDATE = 2;
    private static final int DELETE = 3;
    private static final int BYTES = 4;
    private static final int KEY_CHANGE = 5;

    private static final int PREVIOUS = 0;
    private static final int ROW = 8;
    private static final int KIND = 16;
    private static final int TABLE = 20;
    private static final int RECORD_BYTES = 24;
    private static final int DETAIL = 28;
    private static final int HEADER_BYTES = 32;

    private static final int BYTES_ADDRESS = 0;
    private static final int BYTES_LENGTH = 8;
    private static final int BYTES_HEADER = 16;

    private static final int PAGE_BYTES = 64 << 10;

    private final BlockHeap heap;
    private final long limitBytes;
    private @Nullable UndoTarget[] targets = new UndoTarget[16];
    private long[] pages = new long[4];
    private long[] pageBytes = new long[4];
    private long[] pageEnds = new long[4];
    private int page = -1;
    private long next;
    private long end;
    private long last;
    private long recordCount;
    private long usedBytes;

    // The oldest records may be final already while younger ones are not.
    private long finalCount;
    private int finalPage;
    private long finalEnd;

    public UndoLog(BlockHeap heap, long limitBytes) {
        this.heap = heap;
        this.limitBytes = limitBytes;
    }

    /** Sets who undoes and releases changes of the table with the id; null when the table is dropped. */
    public void register(int tableId, @Nullable UndoTarget target) {
        if (tableId >= targets.length) {
            targets = Arrays.copyOf(targets, Math.max(tableId + 1, 2 * targets.length));
        }
        targets[tableId] = target;
    }

    /** A point to which {@link #rollbackTo} can return. */
    public long mark() {
        return recordCount;
    }

    /** Whether the transaction has changed nothing. */
    public boolean isEmpty() {
        return recordCount == 0;
    }

    public long usedBytes() {
        return usedBytes;
    }

    public void inserted(int tableId, long row, int detail) {
        append(INSERT, tableId, row, detail, 0);
    }

    /** Saves the slot; returns the record's payload for {@link #setDetail}. */
    public long updating(int tableId, long row, int slotBytes) {
        long payload = append(UPDATE, tableId, row, 0, slotBytes);
        OffHeap.copy(row, payload, slotBytes);
        return payload;
    }

    public void deleted(int tableId, long row) {
        append(DELETE, tableId, row, 0, 0);
    }

    /** Saves bytes of the row's block that are about to be overwritten. */
    public void overwriting(int tableId, long row, long address, int length) {
        long payload = append(BYTES, tableId, row, 0, BYTES_HEADER + length);
        OffHeap.putLong(payload + BYTES_ADDRESS, address);
        OffHeap.putInt(payload + BYTES_LENGTH, length);
        OffHeap.copy(address, payload + BYTES_HEADER, length);
    }

    /** Room for the table to note a key that the row is about to lose; returns its address. */
    public long changingKey(int tableId, long row, int payloadBytes) {
        return append(KEY_CHANGE, tableId, row, 0, payloadBytes);
    }

    /** Notes a number with a record that was just made. */
    public void setDetail(long payload, int detail) {
        OffHeap.putInt(payload - HEADER_BYTES + DETAIL, detail);
    }

    private long append(int kind, int tableId, long row, int detail, int payloadBytes) {
        int bytes = HEADER_BYTES + ((payloadBytes + Long.BYTES - 1) & -Long.BYTES);
        if (usedBytes + bytes > limitBytes) {
            throw new FulmarException(
                    ErrorCode.UNDO_LIMIT,
                    "the transaction changes more than the " + limitBytes
                            + " bytes of undo that one may collect; change less at a time, or raise the undo limit");
        }
        if (next + bytes > end) {
            openPage(bytes);
        }
        long record = next;
        next = record + bytes;
        OffHeap.putLong(record + PREVIOUS, last);
        OffHeap.putLong(record + ROW, row);
        OffHeap.putInt(record + KIND, kind);
        OffHeap.putInt(record + TABLE, tableId);
        OffHeap.putInt(record + RECORD_BYTES, bytes);
        OffHeap.putInt(record + DETAIL, detail);
        last = record;
        recordCount++;
        usedBytes += bytes;
        return record + HEADER_BYTES;
    }

    private void openPage(int recordBytes) {
        int opened = page + 1;
        if (opened == pages.length) {
            pages = Arrays.copyOf(pages, 2 * opened);
            pageBytes = Arrays.copyOf(pageBytes, 2 * opened);
            pageEnds = Arrays.copyOf(pageEnds, 2 * opened);
        }
        long bytes = Math.max(PAGE_BYTES, recordBytes);
        pages[opened] = heap.allocate(bytes);
        pageBytes[opened] = bytes;
        if (page >= 0) {
            pageEnds[page] = next;
        }
        page = opened;
        next = pages[opened];
        end = next + bytes;
    }

    /** Undoes what happened since the mark, newest first; what is final stays. */
    public void rollbackTo(long mark) {
        Invariants.check(mark >= finalCount, "what is final is not undone");
        while (recordCount > mark) {
            long record = last;
            undo(record);
            last = OffHeap.getLong(record + PREVIOUS);
            recordCount--;
            usedBytes -= OffHeap.getInt(record + RECORD_BYTES);
            next = record;
            if (page > 0 && record == pages[page]) {
                closePage();
            }
        }
    }

    private void closePage() {
        heap.free(pages[page], pageBytes[page]);
        page--;
        next = pageEnds[page];
        end = pages[page] + pageBytes[page];
    }

    private void undo(long record) {
        long row = OffHeap.getLong(record + ROW);
        long payload = record + HEADER_BYTES;
        int detail = OffHeap.getInt(record + DETAIL);
        UndoTarget target = target(record);
        switch (OffHeap.getInt(record + KIND)) {
            case INSERT -> target.undoInsert(row, detail);
            case UPDATE -> target.undoUpdate(row, payload, detail);
            case DELETE -> target.undoDelete(row);
            case KEY_CHANGE -> target.undoKeyChange(row, payload, detail);
            case BYTES ->
                OffHeap.copy(
                        payload + BYTES_HEADER,
                        OffHeap.getLong(payload + BYTES_ADDRESS),
                        OffHeap.getInt(payload + BYTES_LENGTH));
            default -> throw Invariants.breach("undo records are of a known kind");
        }
    }

    /** Shows what happened since the mark, newest first. Nothing of it may be released or undone yet. */
    public void visitSince(long mark, UndoVisitor visitor) {
        long record = last;
        for (long number = recordCount; number > mark; number--) {
            ChangeKind kind = ChangeKind.of(OffHeap.getInt(record + KIND));
            long row = OffHeap.getLong(record + ROW);
            visitor.change(kind, OffHeap.getInt(record + TABLE), row, record + HEADER_BYTES);
            record = OffHeap.getLong(record + PREVIOUS);
        }
    }

    private UndoTarget target(long record) {
        UndoTarget target = targets[OffHeap.getInt(record + TABLE)];
        if (target == null) {
            throw Invariants.breach("a table with undo exists");
        }
        return target;
    }

    /** Undoes the transaction; the partition is exactly as before it. */
    public void rollback() {
        rollbackTo(0);
    }

    /** Stamps the rows that were written, and releases deleted rows and old index entries, oldest change first. */
    public void commit(long commitTimestamp) {
        commitTo(recordCount, commitTimestamp);
    }

    /**
     * Makes the changes up to the mark final, as those of a transaction after which others have run already. The rest follows by further
     * calls before anything else is changed.
     */
    public void commitTo(long mark, long commitTimestamp) {
        if (recordCount == 0) {
            return;
        }
        pageEnds[page] = next;
        if (finalCount == 0) {
            finalPage = 0;
            finalEnd = pages[0];
        }
        while (finalCount < mark) {
            if (finalEnd == pageEnds[finalPage]) {
                finalPage++;
                finalEnd = pages[finalPage];
            }
            release(finalEnd, commitTimestamp);
            finalEnd += OffHeap.getInt(finalEnd + RECORD_BYTES);
            finalCount++;
        }
        if (finalCount == recordCount) {
            clear();
        }
    }

    private void clear() {
        while (page > 0) {
            closePage();
        }
        next = pages[0];
        last = 0;
        recordCount = 0;
        finalCount = 0;
        usedBytes = 0;
    }

    private void release(long record, long commitTimestamp) {
        long row = OffHeap.getLong(record + ROW);
        switch (OffHeap.getInt(record + KIND)) {
            case INSERT -> OffHeap.putLong(row + RowLayout.COMMIT_TIMESTAMP_OFFSET, commitTimestamp);
            case UPDATE -> {
                OffHeap.putLong(row + RowLayout.COMMIT_TIMESTAMP_OFFSET, commitTimestamp);
                target(record).releaseUpdate(row, record + HEADER_BYTES, OffHeap.getInt(record + DETAIL));
            }
            case DELETE -> target(record).releaseDelete(row);
            case KEY_CHANGE -> target(record).releaseKeyChange(row, record + HEADER_BYTES);
            case BYTES -> {}
            default -> throw Invariants.breach("undo records are of a known kind");
        }
    }

    /** Frees the pages; the transaction must have ended. */
    @Override
    public void close() {
        Invariants.check(recordCount == 0, "undo is closed between transactions");
        if (page == 0) {
            heap.free(pages[0], pageBytes[0]);
        }
        page = -1;
        next = 0;
        end = 0;
    }
}
