package dev.fulmar.engine.durability;

import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.CellKind;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.foundation.check.Invariants;
import java.util.List;

/** Writes the images of what a transaction of one partition changed. One thread; allocates nothing once it is warm. */
public final class ChangeEncoder {
    private final PartitionStorage storage;
    private final ChangeList changes = new ChangeList();

    public ChangeEncoder(PartitionStorage storage) {
        this.storage = storage;
    }

    /** Appends the images of the changes since the undo mark, which must not be released yet and be the newest ones. */
    public void encode(long mark, ImageBuffer out) {
        storage.undoLog().visitSince(mark, changes);
        changes.findRows();
        try {
            int count = changes.rowCount();
            for (int number = 0; number < count; number++) {
                if (changes.existedBefore(number) && (isGone(number) || changes.keyChanged(number))) {
                    delete(number, out);
                }
            }
            for (int number = 0; number < count; number++) {
                if (changes.existedBefore(number) && !isGone(number) && !changes.keyChanged(number)) {
                    update(number, out);
                }
            }
            for (int number = 0; number < count; number++) {
                if (!isGone(number) && (!changes.existedBefore(number) || changes.keyChanged(number))) {
                    insert(number, out);
                } else if (isGone(number) && !changes.existedBefore(number)) {
                    pass(number, out);
                }
            }
        } finally {
            changes.clear();
        }
    }

    private boolean isGone(int number) {
        return (RowLayout.flags(changes.row(number)) & RowLayout.DELETED) != 0;
    }

    private void begin(int kind, int number, ImageBuffer out) {
        out.putByte(kind);
        out.putInt(changes.table(number));
    }

    private void delete(int number, ImageBuffer out) {
        begin(ImageKind.DELETE, number, out);
        TableStore table = storage.table(changes.table(number));
        RowLayout layout = table.layout();
        if (layout.hasRowNumber()) {
            rowNumber(table, changes.row(number), out);
            return;
        }
        long before = changes.slotBefore(number);
        List<Integer> key = layout.table().primaryKey();
        for (int i = 0; i < key.size(); i++) {
            int column = key.get(i);
            int begin = out.length();
            cell(layout, before, column, out);
            if (layout.kind(column) == CellKind.BYTES && changes.overwritten(number)) {
                int length = layout.bytesLength(before, column);
                changes.restoreOverwritten(
                        number, layout.bytesAddress(before, column), out.array(), begin + Integer.BYTES, length);
            }
        }
    }

    /** Of a row that came and went only its number is told, if it had one: it is not given again. */
    private void pass(int number, ImageBuffer out) {
        TableStore table = storage.table(changes.table(number));
        if (table.layout().hasRowNumber()) {
            begin(ImageKind.NUMBER, number, out);
            rowNumber(table, changes.row(number), out);
        }
    }

    /** A row without a primary key is told by its bucket and its number there. */
    private static void rowNumber(TableStore table, long row, ImageBuffer out) {
        out.putInt(table.bucketOf(row));
        out.putLong(OffHeap.getLong(row + table.layout().rowNumberOffset()));
    }

    private static void cell(RowLayout layout, long row, int column, ImageBuffer out) {
        CellKind kind = layout.kind(column);
        if (kind == CellKind.BYTES) {
            int length = layout.bytesLength(row, column);
            out.putInt(length);
            if (length > 0) {
                out.putNative(layout.bytesAddress(row, column), length);
            }
        } else {
            out.putNative(row + layout.offset(column), kind.bytes());
        }
    }

    private void update(int number, ImageBuffer out) {
        TableStore table = storage.table(changes.table(number));
        RowLayout layout = table.layout();
        long row = changes.row(number);
        begin(ImageKind.UPDATE, number, out);
        if (layout.hasRowNumber()) {
            rowNumber(table, row, out);
        } else {
            List<Integer> key = layout.table().primaryKey();
            for (int i = 0; i < key.size(); i++) {
                cell(layout, row, key.get(i), out);
            }
        }
        changedCells(number, layout, row, out);
    }

    /**
     * Bits of the columns that changed, bits of those that are null now, and the values of the others that changed.
     * There may be none: the row takes the commit timestamp all the same.
     */
    private void changedCells(int number, RowLayout layout, long row, ImageBuffer out) {
        int columns = layout.columnCount();
        int bitBytes = bitBytes(columns);
        int bits = out.putZeros(2 * bitBytes);
        long before = changes.slotBefore(number);
        if (Invariants.EXPENSIVE) {
            checkKey(number, layout, before, row);
        }
        for (int column = 0; column < columns; column++) {
            if (isChanged(number, layout, before, row, column)) {
                setBit(out.array(), bits, column);
                if (RowLayout.isNull(row, column)) {
                    setBit(out.array(), bits + bitBytes, column);
                } else {
                    cell(layout, row, column, out);
                }
            }
        }
    }

    /** Of columns of bytes nothing is known once some of their row were overwritten. */
    private void checkKey(int number, RowLayout layout, long before, long row) {
        List<Integer> key = layout.table().primaryKey();
        for (int i = 0; i < key.size(); i++) {
            int column = key.get(i);
            Invariants.check(
                    layout.kind(column) == CellKind.BYTES || !isChanged(number, layout, before, row, column),
                    "a row that the log names by its primary key keeps that key");
        }
    }

    static int bitBytes(int columns) {
        return (columns + Byte.SIZE - 1) / Byte.SIZE;
    }

    private static void setBit(byte[] array, int offset, int bit) {
        array[offset + bit / Byte.SIZE] |= (byte) (1 << (bit % Byte.SIZE));
    }

    private boolean isChanged(int number, RowLayout layout, long before, long row, int column) {
        boolean wasNull = RowLayout.isNull(before, column);
        if (wasNull || RowLayout.isNull(row, column)) {
            return wasNull != RowLayout.isNull(row, column);
        }
        int offset = layout.offset(column);
        return switch (layout.kind(column)) {
            case BYTE -> OffHeap.getByte(before + offset) != OffHeap.getByte(row + offset);
            case SHORT -> OffHeap.getShort(before + offset) != OffHeap.getShort(row + offset);
            case INT, FLOAT -> OffHeap.getInt(before + offset) != OffHeap.getInt(row + offset);
            case LONG, DOUBLE -> OffHeap.getLong(before + offset) != OffHeap.getLong(row + offset);
            case WIDE ->
                OffHeap.getLong(before + offset) != OffHeap.getLong(row + offset)
                        || OffHeap.getLong(before + offset + Long.BYTES) != OffHeap.getLong(row + offset + Long.BYTES);
            case BYTES -> changes.overwritten(number) || bytesDiffer(layout, before, row, column);
        };
    }

    private static boolean bytesDiffer(RowLayout layout, long before, long row, int column) {
        int length = layout.bytesLength(row, column);
        if (layout.bytesLength(before, column) != length) {
            return true;
        }
        long one = layout.bytesAddress(before, column);
        long other = layout.bytesAddress(row, column);
        if (one == other) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (OffHeap.getByte(one + i) != OffHeap.getByte(other + i)) {
                return true;
            }
        }
        return false;
    }

    private void insert(int number, ImageBuffer out) {
        TableStore table = storage.table(changes.table(number));
        RowLayout layout = table.layout();
        long row = changes.row(number);
        begin(ImageKind.INSERT, number, out);
        if (layout.hasRowNumber()) {
            rowNumber(table, row, out);
        }
        int columns = layout.columnCount();
        int bits = out.putZeros(bitBytes(columns));
        for (int column = 0; column < columns; column++) {
            if (RowLayout.isNull(row, column)) {
                setBit(out.array(), bits, column);
            } else {
                cell(layout, row, column, out);
            }
        }
    }
}
