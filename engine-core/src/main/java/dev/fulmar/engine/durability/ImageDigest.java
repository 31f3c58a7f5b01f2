package dev.fulmar.engine.durability;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.CellKind;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.foundation.data.PartitioningHash;
import java.util.Arrays;

/**
 * Computes the digest of the rows that a statement changed on one partition, as they were before and as it left them.
 * It is a sum over the images of rows, so those of several partitions add up. It depends neither on where rows lie nor
 * on the order in which they were changed, and a row that was written with the values that it had counts. Left out are
 * rows that follow from others or count draws: those of materialized views and of sequences. One thread; allocates
 * nothing once it is warm.
 */
public final class ImageDigest {
    private static final long BEFORE = 0x4528_21E6_38D0_1377L;
    private static final long AFTER = 0xBE54_66CF_34E9_0C6CL;
    private static final long NULL = 0xC0AC_29B7_C97C_50DDL;
    private static final int FIRST_BYTES = 256;

    private final PartitionStorage storage;
    private final ChangeList changes = new ChangeList();
    private byte[] bytes = new byte[FIRST_BYTES];

    public ImageDigest(PartitionStorage storage) {
        this.storage = storage;
    }

    /** The digest of the changes since the undo mark, which must not be released yet and be the newest ones. */
    public long since(long mark) {
        storage.undoLog().visitSince(mark, changes);
        changes.findRows();
        try {
            long digest = 0;
            int rows = changes.rowCount();
            for (int number = 0; number < rows; number++) {
                RowLayout layout = storage.table(changes.table(number)).layout();
                Table table = layout.table();
                if (!table.isAggregation() && !table.isSequence()) {
                    digest += images(number, layout);
                }
            }
            return digest;
        } finally {
            changes.clear();
        }
    }

    /** A changed row and its earlier image count by themselves: an UPDATE of a key may be a DELETE and an INSERT. */
    private long images(int number, RowLayout layout) {
        long row = changes.row(number);
        long digest = 0;
        if (changes.existedBefore(number)) {
            digest += image(BEFORE, number, layout, changes.slotBefore(number), changes.overwritten(number));
        }
        if ((RowLayout.flags(row) & RowLayout.DELETED) == 0) {
            digest += image(AFTER, number, layout, row, false);
        }
        return digest;
    }

    private long image(long seed, int number, RowLayout layout, long slot, boolean isOverwritten) {
        long hash = PartitioningHash.ofWide(seed, changes.table(number));
        int columns = layout.columnCount();
        for (int column = 0; column < columns; column++) {
            hash = RowLayout.isNull(slot, column)
                    ? PartitioningHash.ofWide(hash, NULL)
                    : cell(hash, number, layout, slot, column, isOverwritten);
        }
        return hash;
    }

    private long cell(long hash, int number, RowLayout layout, long slot, int column, boolean isOverwritten) {
        CellKind kind = layout.kind(column);
        long cell = slot + layout.offset(column);
        return switch (kind) {
            case BYTE -> PartitioningHash.ofWide(hash, OffHeap.getByte(cell));
            case SHORT -> PartitioningHash.ofWide(hash, OffHeap.getShort(cell));
            case INT, FLOAT -> PartitioningHash.ofWide(hash, OffHeap.getInt(cell));
            case LONG, DOUBLE -> PartitioningHash.ofWide(hash, OffHeap.getLong(cell));
            case WIDE ->
                PartitioningHash.ofWide(
                        PartitioningHash.ofWide(hash, OffHeap.getLong(cell)), OffHeap.getLong(cell + Long.BYTES));
            case BYTES -> {
                int length = read(number, layout, slot, column, isOverwritten);
                yield PartitioningHash.ofWide(
                        PartitioningHash.ofWide(hash, length), PartitioningHash.ofBytes(bytes, 0, length));
            }
        };
    }

    /** Copies a cell of bytes, as they were if they have been overwritten; returns how many. */
    private int read(int number, RowLayout layout, long slot, int column, boolean isOverwritten) {
        int length = layout.bytesLength(slot, column);
        if (length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length, 2 * bytes.length));
        }
        if (length > 0) {
            long address = layout.bytesAddress(slot, column);
            OffHeap.copy(address, bytes, 0, length);
            if (isOverwritten) {
                changes.restoreOverwritten(number, address, bytes, 0, length);
            }
        }
        return length;
    }
}
