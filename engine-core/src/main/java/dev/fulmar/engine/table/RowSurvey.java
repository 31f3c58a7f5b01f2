package dev.fulmar.engine.table;

import dev.fulmar.engine.memory.AddressTable;
import dev.fulmar.engine.row.RowLayout;

/**
 * Work on every row of a table in use, piece by piece. Invariant, between two pieces: the work has taken each row of
 * the table up to where the survey is, as the row is now, but for rows that wait; and nothing else. Pieces are made
 * while no transaction is under way, so all rows that they show are committed; a row that changes is taken back at
 * once, while it holds what it held, and waits. So no two rows that the work has are of different moments.
 */
final class RowSurvey {
    /** Rows that wait with which the survey counts as nearly over. */
    private static final int FEW = 1000;

    /**
     * Pieces after the last row was met with which it counts as nearly over however many wait: rows may change faster
     * than pieces take them.
     */
    private static final int MOST_PIECES_BEHIND = 5000;

    /** Pieces after the last row was met from which on the survey must not be kept waiting. */
    private static final int PATIENT_PIECES = 20;

    /** The work on the rows. */
    interface Work {
        /** Takes a row, as it is; no more if it has it already. May fail, which ends the survey. */
        void take(long row);

        /** Takes a row back if it has it. */
        void takeBack(long row);
    }

    private final TableStore source;
    private final Work work;
    private final AddressTable waiting = new AddressTable();
    private final int end;
    private int bucket;
    private int page;
    private int slotInPage;
    private int piecesBehind;

    RowSurvey(TableStore source, Work work) {
        this(source, work, 0, Integer.MAX_VALUE);
    }

    private RowSurvey(TableStore source, Work work, int bucket, int end) {
        this.source = source;
        this.work = work;
        this.bucket = bucket;
        this.end = end;
    }

    /** A survey of the rows of one bucket. */
    static RowSurvey ofBucket(TableStore source, Work work, int bucket) {
        return new RowSurvey(source, work, bucket, bucket + 1);
    }

    private boolean isThrough() {
        return bucket >= Math.min(end, source.bucketCount());
    }

    TableStore source() {
        return source;
    }

    void changing(long row) {
        work.takeBack(row);
        waiting.put(row, row);
    }

    /** Number of rows that the next piece can take; very many before the last row was met. */
    int needed() {
        return isThrough() ? waiting.size() : Integer.MAX_VALUE;
    }

    /** Whether rows change faster than they are taken, at the pace so far. */
    boolean isBehind() {
        return piecesBehind > PATIENT_PIECES && waiting.size() > FEW;
    }

    /**
     * Does a bounded piece of the work; fails as the work does.
     *
     * @return whether so little is left that it can be done while everything waits
     */
    boolean next(int mostRows) {
        int left = mostRows;
        while (left > 0 && !isThrough()) {
            left -= takePage(left);
        }
        if (!isThrough()) {
            return false;
        }
        // Rows that change often would else be taken again and again before others were taken once.
        takeWaiting(left);
        piecesBehind++;
        return waiting.size() <= FEW || piecesBehind > MOST_PIECES_BEHIND;
    }

    /** Does all that is left. */
    void finish() {
        while (!next(Integer.MAX_VALUE) || waiting.size() > 0) {
            // Once more: a piece takes all that waits, but says only whether that was much.
        }
    }

    private void takeWaiting(int mostRows) {
        for (int left = mostRows; left > 0 && waiting.size() > 0; left--) {
            long row = waiting.takeAny();
            if (RowLayout.isVisible(row)) {
                work.take(row);
            }
        }
    }

    private int takePage(int mostRows) {
        SlotStore slots = source.bucket(bucket).slots();
        if (page >= slots.scannedPages()) {
            bucket++;
            page = 0;
            slotInPage = 0;
            return 0;
        }
        int slotBytes = source.layout().slotBytes();
        int end = slots.scannedSlots(page);
        int looked = 0;
        long slot = slots.pageAddress(page) + (long) slotInPage * slotBytes;
        while (slotInPage < end && looked < mostRows) {
            if (RowLayout.isVisible(slot)) {
                work.take(slot);
            }
            slot += slotBytes;
            slotInPage++;
            looked++;
        }
        if (slotInPage >= end) {
            page++;
            slotInPage = 0;
        }
        return Math.max(looked, 1);
    }
}
