package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.index.HashIndex;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.TableIndex;
import org.jspecify.annotations.Nullable;

/**
 * Prefetches the memory of a look-up by unique key. It takes three steps, of which each needs what the one before read:
 * the line of the index, the row, the bytes that the row points to. Steps of several look-ups taken in turn wait for
 * memory once and not one after another. Decides nothing: what is read here is only read.
 */
public final class PointRead {
    private static final int LINE_BYTES = 64;

    private final TableIndex index;
    private final IndexKeyWriter values;
    private final SearchKey key;
    private final RowLayout layout;
    private final int lastCell;
    private final int firstColumn;
    private final int lastColumn;

    /** @param blockColumns the columns of variable length that will be read, in any order */
    PointRead(TableIndex index, IndexKeyWriter values, int[] blockColumns) {
        this.index = index;
        this.values = values;
        this.key = index.newKey();
        layout = index.layout();
        lastCell = layout.slotBytes() - Long.BYTES;
        int first = blockColumns.length == 0 ? -1 : blockColumns[0];
        int last = first;
        for (int column : blockColumns) {
            first = Math.min(first, column);
            last = Math.max(last, column);
        }
        firstColumn = first;
        lastColumn = last;
    }

    /**
     * The memory that a producer is going to read, or null if that is not known beforehand.
     *
     * @param source of the rows that are looked for
     * @param blockColumns the columns of variable length that will be read of them
     */
    public static @Nullable PointRead of(Producer producer, int source, int[] blockColumns) {
        return producer instanceof Scans.OfKey look ? look.pointRead(source, blockColumns) : null;
    }

    /** Forms the key from the frame's parameters; false if it has a null. */
    public boolean begin(Frame frame) {
        return values.write(frame, key.reset());
    }

    /** Hash of the key that was begun. */
    public long hash() {
        return key.hash();
    }

    /** Line of the index for the key that was begun, 0 if there is none. */
    public long line(long hash) {
        return index.homeLine(key, hash);
    }

    /** The row that the line names for the hash, 0 if none. */
    public static long row(long line, long hash) {
        return HashIndex.candidate(line, hash);
    }

    /** Reads the row; what it returns means nothing but must be used, lest the reading be left out. */
    public long touchRow(long row) {
        long read = OffHeap.getLong(row);
        for (int offset = LINE_BYTES; offset < lastCell; offset += LINE_BYTES) {
            read += OffHeap.getLong(row + offset);
        }
        return read + OffHeap.getLong(row + lastCell);
    }

    /** Reads the bytes of the columns of variable length; what it returns means as little. */
    public long touchBlock(long row) {
        if (firstColumn < 0) {
            return 0;
        }
        long block = layout.block(row);
        int end = Math.min(
                layout.blockBytes(row), layout.bytesOffset(row, lastColumn) + layout.bytesLength(row, lastColumn));
        long read = 0;
        for (int offset = layout.bytesOffset(row, firstColumn); offset < end; offset += LINE_BYTES) {
            read += OffHeap.getByte(block + offset);
        }
        return read;
    }
}
