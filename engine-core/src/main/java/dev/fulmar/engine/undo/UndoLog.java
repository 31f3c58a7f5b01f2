package dev.fulmar.engine.undo;

import dev.fulmar.engine.memory.BlockHeap;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.version.Horizon;
import dev.fulmar.engine.version.VersionLimits;
import dev.fulmar.engine.version.VersionRecord;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Before-images of the running transaction of one partition, newest last. Also knows what must be released when it
 * ends. While readers of snapshots are registered, the records of committed transactions stay before those of the
 * running one: they are the versions that readers see, and are given back oldest first. Records lie in pages of native
 * memory and never move. One thread.
 */
public final class UndoLog implements AutoCloseable {
    private static final int INSERT = VersionRecord.INSERT;
    private static final int UPDATE = VersionRecord.UPDATE;
    private static final int DELETE = VersionRecord.DELETE;
    private static final int BYTES = VersionRecord.BYTES;
    private static final int KEY_CHANGE = VersionRecord.KEY_CHANGE;

    private static final int PREVIOUS = VersionRecord.PREVIOUS;
    private static final int ROW = VersionRecord.ROW;
    private static final int KIND = VersionRecord.KIND;
    private static final int TABLE = VersionRecord.TABLE;
    private static final int RECORD_BYTES = VersionRecord.RECORD_BYTES;
    private static final int DETAIL = VersionRecord.DETAIL;
    private static final int HEADER_BYTES = VersionRecord.HEADER_BYTES;

    static final int BYTES_ADDRESS = 0;
    static final int BYTES_LENGTH = 8;
    static final int BYTES_HEADER = 16;

    private static final int PAGE_BYTES = 64 << 10;

    /** Records that a commit gives back beside as many as it adds, so that the log gets shorter in the end. */
    private static final int RECORDS_PER_COMMIT = 8;

    /** The same above the low watermark. */
    private static final int RECORDS_PER_COMMIT_IN_NEED = 64;

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

    // Where the records of transactions under way begin. Before them lie those that are kept for readers.
    private int openFromPage;
    private long openFrom;

    private final Horizon horizon;
    private final VersionLimits versionLimits;
    private boolean retaining;
    private long retainedCount;
    private long retainedHead;
    private final KeptVersions kept = new KeptVersions(this);

    private boolean limited = true;

    /**
     * @param limitBytes what one transaction may collect
     * @param versionLimits what is kept for readers
     */
    public UndoLog(BlockHeap heap, long limitBytes, Horizon horizon, VersionLimits versionLimits) {
        this.heap = heap;
        this.limitBytes = limitBytes;
        this.horizon = horizon;
        this.versionLimits = versionLimits;
    }

    /** Sets who undoes and releases changes of the table with the id; null when the table is dropped. */
    public void register(int tableId, @Nullable UndoTarget target) {
        Invariants.check(
                target != null || (recordCount == 0 && retainedCount == 0),
                "a table is dropped after its undo records are gone");
        if (tableId >= targets.length) {
            targets = Arrays.copyOf(targets, Math.max(tableId + 1, 2 * targets.length));
        }
        targets[tableId] = target;
    }

    /** Whether the limit of what one transaction may collect counts; it does at first. */
    public void limit(boolean counts) {
        limited = counts;
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
        checkExists(row);
        long payload = append(UPDATE, tableId, row, 0, slotBytes);
        OffHeap.copy(row, payload, slotBytes);
        if (retaining) {
            link(payload - HEADER_BYTES);
        }
        return payload;
    }

    public void deleted(int tableId, long row) {
        checkExists(row);
        long payload = append(DELETE, tableId, row, 0, VersionRecord.DELETE_PAYLOAD_BYTES);
        if (retaining) {
            link(payload - HEADER_BYTES);
        }
    }

    private static void checkExists(long row) {
        if (Invariants.EXPENSIVE) {
            Invariants.check(RowLayout.isVisible(row), "a transaction changes and deletes only rows that exist");
        }
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
        if (usedBytes + bytes > limitBytes && limited) {
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
        if (opened == 0) {
            openFromPage = 0;
            openFrom = next;
        }
    }

    /** Undoes what happened since the mark, newest first; what is final stays. */
    public void rollbackTo(long mark) {
        Invariants.check(mark >= finalCount, "what is final is not undone");
        Invariants.check(mark <= recordCount, "a transaction undoes to a position that it has reached");
        while (recordCount > mark) {
            long record = last;
            if (Invariants.EXPENSIVE) {
                Invariants.check(
                        record >= pages[page] && record < end, "the newest undo record lies in the newest page");
            }
            undo(record);
            last = OffHeap.getLong(record + PREVIOUS);
            recordCount--;
            usedBytes -= OffHeap.getInt(record + RECORD_BYTES);
            next = record;
            if (page > 0 && record == pages[page]) {
                closePage();
            }
        }
        Invariants.check(
                recordCount > 0 || (last == 0 && usedBytes == 0), "an undone transaction leaves no undo record");
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
        int kind = OffHeap.getInt(record + KIND);
        Invariants.check(RowLayout.isVisible(row) == (kind != DELETE), "undo meets a row as its change left it");
        switch (kind) {
            case INSERT -> target.undoInsert(row, detail);
            case UPDATE -> {
                target.undoUpdate(row, payload, detail);
                if (retaining) {
                    unlink(record);
                }
            }
            case DELETE -> {
                target.undoDelete(row);
                if (retaining) {
                    unlink(record);
                }
            }
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

    UndoTarget target(long record) {
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
     * Makes the changes up to the mark final, as those of a transaction after which others have run already. The rest
     * follows by further calls before anything else is changed.
     */
    public void commitTo(long mark, long commitTimestamp) {
        if (recordCount == 0) {
            return;
        }
        Invariants.check(mark <= recordCount, "a commit makes only changes final that were made");
        if (Invariants.EXPENSIVE) {
            Invariants.check(mark >= finalCount, "changes become final in their order");
            if (finalCount == 0) {
                RecordChain.check(last, recordCount, usedBytes);
            }
        }
        pageEnds[page] = next;
        if (finalCount == 0) {
            finalPage = openFromPage;
            finalEnd = openFrom;
        }
        if (retaining) {
            retainTo(mark, commitTimestamp);
        } else {
            releaseTo(mark, commitTimestamp);
        }
    }

    private void releaseTo(long mark, long commitTimestamp) {
        while (finalCount < mark) {
            release(nextFinal(), commitTimestamp);
        }
        if (finalCount == recordCount) {
            while (page > 0) {
                closePage();
            }
            next = pages[0];
            open();
        }
    }

    /** The oldest record that is not final, which becomes it. */
    private long nextFinal() {
        if (finalEnd == pageEnds[finalPage]) {
            finalPage++;
            finalEnd = pages[finalPage];
        }
        long record = finalEnd;
        finalEnd += OffHeap.getInt(record + RECORD_BYTES);
        finalCount++;
        return record;
    }

    /** The next record will be the first of a transaction. */
    private void open() {
        openFromPage = page;
        openFrom = next;
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
            case KEY_CHANGE -> target(record).releaseKeyChange(row, record + HEADER_BYTES, true);
            case BYTES -> {}
            default -> throw Invariants.breach("undo records are of a known kind");
        }
    }

    /**
     * From now on commits keep their records for readers, until there is no reader and nothing kept any more. Works
     * while a transaction is under way. Fails with MEMORY_LIMIT.
     */
    public void retain() {
        if (retaining) {
            return;
        }
        Invariants.check(finalCount == 0, "a reader registers before or after a commit, never in the midst of one");
        if (recordCount > 0) {
            new OverwrittenBlocks(this).keep();
        }
        retaining = true;
        retainedCount = 0;
        if (recordCount > 0) {
            pageEnds[page] = next;
            finalPage = openFromPage;
            finalEnd = openFrom;
            while (finalCount < recordCount) {
                long record = nextFinal();
                int kind = VersionRecord.kind(record);
                if (kind == UPDATE || kind == DELETE) {
                    link(record);
                }
            }
            finalCount = 0;
        }
    }

    /** Whether old values must stay where they are, because readers may come for them. */
    public boolean isRetaining() {
        return retaining;
    }

    /** The newest record of those under way, 0 if there is none. */
    long newest() {
        return last;
    }

    private void link(long record) {
        long row = OffHeap.getLong(record + ROW);
        long older = RowLayout.versionLink(row);
        if (Invariants.EXPENSIVE) {
            Invariants.check(
                    older == 0 || VersionRecord.row(older) == row,
                    "a row's version link leads to a version of the row");
        }
        if (older != 0) {
            OffHeap.putLong(older + VersionRecord.NEWER, record);
        }
        OffHeap.putLong(record + VersionRecord.COMMIT_TIMESTAMP, 0);
        OffHeap.putLong(record + VersionRecord.NEWER, 0);
        RowLayout.setVersionLink(record + HEADER_BYTES, older);
        RowLayout.setVersionLink(row, record);
    }

    /** Its row is as it was before. */
    private static void unlink(long record) {
        long older = VersionRecord.older(record);
        if (Invariants.EXPENSIVE) {
            Invariants.check(
                    older == 0 || VersionRecord.newer(older) == record,
                    "a row's versions are linked in both directions");
        }
        RowLayout.setVersionLink(VersionRecord.row(record), older);
        if (older != 0) {
            OffHeap.putLong(older + VersionRecord.NEWER, 0);
        }
    }

    private void retainTo(long mark, long commitTimestamp) {
        while (finalCount < mark) {
            kept.keep(nextFinal(), commitTimestamp);
        }
        if (finalCount < recordCount) {
            return;
        }
        if (retainedCount == 0) {
            freePagesBefore(openFromPage);
            retainedHead = openFrom;
        }
        retainedCount += recordCount;
        long portion = 2 * recordCount;
        open();
        boolean inNeed = kept.heldBytes() > versionLimits.lowBytes();
        reclaim(portion + (inNeed ? RECORDS_PER_COMMIT_IN_NEED : RECORDS_PER_COMMIT));
        while (kept.heldBytes() > versionLimits.highBytes() && horizon.hasReaders() && !hasGarbage()) {
            horizon.expireOldest(
                    "the snapshot is too old: rows changed since take more than " + versionLimits.highBytes()
                            + " bytes on one partition; try again, read less at a time, or raise the limit for versions");
        }
    }

    /** Bytes of kept versions and ghosts, and of what they keep from being freed. */
    public long heldBytes() {
        return kept.heldBytes();
    }

    /** Whether versions were forgotten by {@link #giveUp}, and blocks that they held. */
    public boolean hasForgotten() {
        return kept.hasForgotten();
    }

    /** Whether something is kept that no reader needs any more. */
    public boolean hasGarbage() {
        return retaining && recordCount == 0 && (retainedCount == 0 ? !horizon.hasReaders() : isGarbage(head()));
    }

    private boolean isGarbage(long record) {
        return VersionRecord.commitTimestamp(record) <= horizon.timestamp();
    }

    /** The oldest record that is kept. */
    private long head() {
        if (page > 0 && retainedHead == pageEnds[0]) {
            freePagesBefore(1);
            retainedHead = pages[0];
        }
        return retainedHead;
    }

    /**
     * Gives back what no reader needs any more, the oldest first and about so many records; nothing while a transaction
     * is under way.
     */
    public void reclaim(long mostRecords) {
        if (!retaining || recordCount > 0) {
            return;
        }
        long left = mostRecords;
        int ahead = 0;
        while (retainedCount > 0) {
            long record = head();
            // A changed key belongs to the update before it: no row is found under a key that it does not have.
            boolean goesOn = left > 0 || OffHeap.getInt(record + KIND) == KEY_CHANGE;
            if (!goesOn || !isGarbage(record)) {
                return;
            }
            if (ahead == 0) {
                ahead = kept.readAhead(record, page > 0 ? pageEnds[0] : next, left);
            }
            ahead--;
            kept.giveBack(record);
            retainedHead = record + OffHeap.getInt(record + RECORD_BYTES);
            retainedCount--;
            left--;
            if (Invariants.EXPENSIVE) {
                Invariants.check(
                        retainedCount > 0 || retainedHead == next,
                        "a log's kept versions end where its next record begins");
            }
        }
        if (!horizon.hasReaders()) {
            retaining = false;
            Invariants.check(kept.isNothing(), "without versions nothing is held");
            while (page > 0) {
                closePage();
            }
            next = page < 0 ? 0 : pages[0];
            open();
        }
    }

    /** Gives back everything that is kept. No reader may be registered and no transaction under way. */
    public void reclaimAll() {
        Invariants.check(
                !horizon.hasReaders() && recordCount == 0,
                "versions are given up between transactions, without readers");
        reclaim(Long.MAX_VALUE);
    }

    /**
     * Gives up the rows, all of whose tables are dropped before the next transaction. Undoes the changes under way, or,
     * if that is not possible, forgets them with all versions.
     */
    public void giveUp() {
        try {
            rollbackTo(0);
        } catch (RuntimeException
                | Error halfWay) { // a commit or an undo broke off, so that records and rows do not fit
            horizon.expireAll("the partition's rows are damaged; another copy takes their place");
            while (page > 0) {
                closePage();
            }
            next = page < 0 ? 0 : pages[0];
            retaining = false;
            retainedCount = 0;
            kept.forget();
            open();
        }
    }

    private void freePagesBefore(int kept) {
        if (kept == 0) {
            return;
        }
        for (int i = 0; i < kept; i++) {
            heap.free(pages[i], pageBytes[i]);
        }
        int left = page + 1 - kept;
        System.arraycopy(pages, kept, pages, 0, left);
        System.arraycopy(pageBytes, kept, pageBytes, 0, left);
        System.arraycopy(pageEnds, kept, pageEnds, 0, left);
        page -= kept;
        openFromPage -= kept;
        finalPage -= kept;
    }

    /** Frees the pages; the transaction must have ended. */
    @Override
    public void close() {
        Invariants.check(recordCount == 0 && !retaining, "undo is closed between transactions, and without versions");
        if (page == 0) {
            heap.free(pages[0], pageBytes[0]);
        }
        page = -1;
        next = 0;
        end = 0;
    }
}
