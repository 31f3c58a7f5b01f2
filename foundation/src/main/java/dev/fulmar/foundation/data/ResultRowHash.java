package dev.fulmar.foundation.data;

/** Hash of the values in a result's row. Equal rows of any two results have the same one. */
public final class ResultRowHash {
    private static final long NULL_CELL = 0x243F_6A88_85A3_08D3L;

    private ResultRowHash() {}

    /**
     * Hash of the block's current row.
     *
     * @param seed for another hash of the same row
     */
    public static long of(ResultBlock block, long seed) {
        long hash = seed;
        for (int column = 0; column < block.columnCount(); column++) {
            hash = PartitioningHash.ofWide(hash, cell(block, column));
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
