package dev.fulmar.engine.table;

import dev.fulmar.engine.row.RowLayout;
import java.util.ArrayDeque;

/**
 * Tables that came whole: the next checkpoint needs all their rows, though these have no mark yet. To look at each row
 * while everything waits would take as long as the table is large, so they get their marks piece by piece before that
 * checkpoint begins. Invariant: a row of such a table has the current mark or none.
 */
final class UnmarkedTables {
    private final ArrayDeque<TableStore> tables = new ArrayDeque<>();

    // Where the first table is marked next.
    private int bucket;
    private int page;
    private int slotInPage;

    void add(TableStore table) {
        tables.add(table);
    }

    /** The table goes, if it is here. */
    void remove(TableStore table) {
        if (tables.peek() == table) {
            next();
        } else {
            tables.remove(table);
        }
    }

    private void next() {
        tables.remove();
        bucket = 0;
        page = 0;
        slotInPage = 0;
    }

    /** Marks so many slots; returns whether none is left. */
    boolean mark(int mostSlots, int mark) {
        int left = mostSlots;
        TableStore table = tables.peek();
        while (table != null && left > 0) {
            if (bucket < table.bucketCount()) {
                left -= markPage(table.bucket(bucket), left, mark);
            } else {
                next();
                table = tables.peek();
            }
        }
        return tables.isEmpty();
    }

    /** Marks some slots of the page and goes on behind them; returns how many. */
    private int markPage(Bucket rows, int mostSlots, int mark) {
        SlotStore slots = rows.slots();
        if (page >= slots.scannedPages()) {
            bucket++;
            page = 0;
            slotInPage = 0;
            return 0;
        }
        int begin = slotInPage;
        int end = slots.scannedSlots(page);
        int until = Math.min(end, begin + mostSlots);
        long slot = slots.pageAddress(page) + (long) begin * rows.slotBytes();
        for (int i = begin; i < until; i++, slot += rows.slotBytes()) {
            RowLayout.setFlags(slot, RowLayout.flags(slot) | mark);
        }
        slotInPage = until;
        if (until >= end) {
            page++;
            slotInPage = 0;
        }
        return Math.max(0, until - begin);
    }
}
