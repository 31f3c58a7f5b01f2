package dev.fulmar.foundation.data;

/**
 * Hashes of the values in a result's row. Equal rows of any two results have the same ones. The values are read once,
 * however many hashes are made of them. Not thread-safe.
 */
public final class ResultRowHash {
    private static final long NULL_CELL = 0x243F_6A88_85A3_08D3L;

    private long[] cells = {};
    private int count;

    /** Reads the block's current row. */
    public void read(ResultBlock block) {
        count = block.columnCount();
        if (cells.length < count) {
            cells = new long[count];
        }
        for (int column = 0; column < count; column++) {
            cells[column] = cell(block, column);
        }
    }

    /**
     * Hash of the row that was read last.
     *
     * @param seed for another hash of the same row
     */
    public long of(long seed) {
        long hash = seed;
        for (int column = 0; column < count; column++) {
            hash = PartitioningHash.ofWide(hash, cells[column]);
        }
        return hash;
    }

    private static long cell(ResultBlock block, int column) {
        if (block.isNull(column)) {
            return NULL_CELL;
        }
        if (block.isWide(column)) {
            return PartitioningHash.ofWide(block.getHigh(column), block.getLow(column));
        }
        return switch (block.kind(column).storage()) {
            case LONG -> PartitioningHash.ofLong(block.getUnscaled(column));
            case DOUBLE -> PartitioningHash.ofDouble(block.getDouble(column));
            case WIDE -> PartitioningHash.ofWide(block.getHigh(column), block.getLow(column));
            case BYTES -> PartitioningHash.ofBytes(block.array(), block.bytesOffset(column), block.bytesLength(column));
        };
    }
}
