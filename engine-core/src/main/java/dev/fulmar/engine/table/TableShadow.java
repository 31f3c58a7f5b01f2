package dev.fulmar.engine.table;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.row.RowLayout;
import java.util.Arrays;

/**
 * A table that is being made from another one while that is in use. Invariant, between two slices: the shadow has a copy of each row of the source
 * up to where the copying is, as the row is now, but for rows that are noted as changed or waiting; and it has nothing else. Slices
 * are made while no transaction is under way, so what they copy is committed and breaks no unique key: copies of changed rows
 * all go before the first row is copied.
 */
public final class TableShadow implements RowObserver {
    private static final int FIRST_NOTES = 256;

    /** Rows noted as changed with which the shadow counts as nearly there. */
    private static final int FEW = 1000;

    /** Slices after the last row was met with which it counts as nearly there however much is left: rows may change faster than slices copy them. */
    private static final int MOST_SLICES_BEHIND = 500;

    /** Copies a row of the source to the shadow. */
    @FunctionalInterface
    public interface RowCopier {
        /** Address of the copy. */
        long copy(long row);
    }

    private final TableStore source;
    private final TableStore target;
    private final Table table;
    private final AddressMap copies = new AddressMap();
    private final AddressMap waiting = new AddressMap();
    private long[] changed = new long[FIRST_NOTES];
    private int changes;
    private int bucket;
    private int page;
    private int slotInPage;
    private int slicesBehind;

    TableShadow(TableStore source, TableStore target, Table table) {
        this.source = source;
        this.target = target;
        this.table = table;
    }

    /** The table that is made. */
    public Table table() {
        return table;
    }

    public TableStore source() {
        return source;
    }

    public TableStore target() {
        return target;
    }

    @Override
    public void changed(long row) {
        if (changes == changed.length) {
            changed = Arrays.copyOf(changed, 2 * changes);
        }
        changed[changes++] = row;
    }

    /**
     * Does a bounded piece of the work; fails as an INSERT of a row would.
     *
     * @return whether so little is left that it can be done while everything waits
     */
    public boolean copySlice(RowCopier copier, int mostRows) {
        removeChanged();
        int left = copyWaiting(copier, mostRows);
        while (left > 0 && bucket < source.bucketCount()) {
            left -= copyPage(copier, left);
        }
        if (bucket < source.bucketCount()) {
            return false;
        }
        slicesBehind++;
        return waiting.size() + changes <= FEW || slicesBehind > MOST_SLICES_BEHIND;
    }

    /** Does all that is left. */
    public void copyRest(RowCopier copier) {
        while (!copySlice(copier, Integer.MAX_VALUE) || changes > 0 || waiting.size() > 0) {
            // Once more: a slice copies all that waits, but says only whether that was much.
        }
    }

    private void removeChanged() {
        for (int i = 0; i < changes; i++) {
            long copy = copies.remove(changed[i]);
            if (copy != 0) {
                target.discard(copy);
            }
            waiting.put(changed[i], changed[i]);
        }
        changes = 0;
    }

    private int copyWaiting(RowCopier copier, int mostRows) {
        int left = mostRows;
        while (left > 0 && waiting.size() > 0) {
            long row = waiting.takeAny();
            if (RowLayout.isVisible(row)) {
                copies.put(row, copier.copy(row));
            }
            left--;
        }
        return left;
    }

    private int copyPage(RowCopier copier, int mostRows) {
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
            if (RowLayout.isVisible(slot) && !copies.contains(slot)) {
                copies.put(slot, copier.copy(slot));
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
