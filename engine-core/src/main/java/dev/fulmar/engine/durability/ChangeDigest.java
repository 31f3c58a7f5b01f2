package dev.fulmar.engine.durability;

import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.CellKind;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.PartitionStorage;

/**
 * Computes the digest of the rows that a transaction changed on one partition, which a replay of the call must reach
 * again. Two executions that leave the same rows behind have the same digest, wherever the rows lie and in whatever
 * order they were changed; it is a sum over rows. A row that came and went counts for nothing. The digests are on
 * disks: how they are computed never changes under a version of the log's payload. One thread; allocates nothing once
 * it is warm.
 */
public final class ChangeDigest {
    private static final long GONE = 0x5bd1e9955bd1e995L;
    private static final long NULL = 0x27d4eb2f165667c5L;
    private static final long FACTOR = 0x9e3779b97f4a7c15L;

    private final PartitionStorage storage;
    private final ChangeList changes = new ChangeList();
    private int rows;

    public ChangeDigest(PartitionStorage storage) {
        this.storage = storage;
    }

    /** The digest of the changes since the undo mark, which must not be released yet and be the newest ones. */
    public long since(long mark) {
        storage.undoLog().visitSince(mark, changes);
        changes.findRows();
        try {
            rows = changes.rowCount();
            long digest = 0;
            for (int number = 0; number < rows; number++) {
                long row = changes.row(number);
                boolean gone = (RowLayout.flags(row) & RowLayout.DELETED) != 0;
                if (!gone || changes.existedBefore(number)) {
                    digest += ofRow(changes.table(number), row, gone);
                }
            }
            return digest;
        } finally {
            changes.clear();
        }
    }

    /** The number of rows that the last digest was of. */
    public int rows() {
        return rows;
    }

    private long ofRow(int tableId, long row, boolean gone) {
        RowLayout layout = storage.table(tableId).layout();
        long hash = mix(tableId, gone ? GONE : FACTOR);
        if (layout.hasRowNumber()) {
            hash = mix(hash, OffHeap.getLong(row + layout.rowNumberOffset()));
        }
        int columns = layout.columnCount();
        for (int column = 0; column < columns; column++) {
            hash = RowLayout.isNull(row, column) ? mix(hash, NULL) : cell(hash, layout, row, column);
        }
        return hash ^ (hash >>> 29);
    }

    private static long cell(long hash, RowLayout layout, long row, int column) {
        CellKind kind = layout.kind(column);
        long cell = row + layout.offset(column);
        return switch (kind) {
            case BYTE -> mix(hash, OffHeap.getByte(cell));
            case SHORT -> mix(hash, OffHeap.getShort(cell));
            case INT, FLOAT -> mix(hash, OffHeap.getInt(cell));
            case LONG, DOUBLE -> mix(hash, OffHeap.getLong(cell));
            case WIDE -> mix(mix(hash, OffHeap.getLong(cell)), OffHeap.getLong(cell + Long.BYTES));
            case BYTES -> bytes(hash, layout, row, column);
        };
    }

    private static long bytes(long hash, RowLayout layout, long row, int column) {
        int length = layout.bytesLength(row, column);
        long mixed = mix(hash, length);
        if (length == 0) {
            return mixed;
        }
        long address = layout.bytesAddress(row, column);
        int place = 0;
        for (; place + Long.BYTES <= length; place += Long.BYTES) {
            mixed = mix(mixed, OffHeap.getLong(address + place));
        }
        long rest = 0;
        for (; place < length; place++) {
            rest = (rest << Byte.SIZE) | (OffHeap.getByte(address + place) & 0xff);
        }
        return mix(mixed, rest);
    }

    /** One multiplication; the rotation brings its high bits to where the next one multiplies them. */
    private static long mix(long hash, long word) {
        return Long.rotateLeft((hash ^ word) * FACTOR, 29);
    }
}
