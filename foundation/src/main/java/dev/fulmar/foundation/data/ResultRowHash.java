package dev.fulmar.foundation.data;

/**
 * Hashes of the values in a result's rows. Equal rows of any two results have the same ones. Several rows are read
 * together and hashed side by side, and their values are read once, however many hashes are made of them. Not
 * thread-safe.
 */
public final class ResultRowHash {
    /** The most rows that are read together. */
    public static final int ROWS = PartitioningHash.LANES;

    private static final long NULL_CELL = 0x243F_6A88_85A3_08D3L;

    /** Hashes of the values: those of a column in all rows, then those of the next column. */
    private long[] cells = {};

    private int columns;

    /** The place of each text in {@link #cells}, and where its bytes are. */
    private int[] places = {};

    private int[] offsets = {};
    private int[] lengths = {};
    private final long[] lanes = new long[PartitioningHash.LANES];

    /** Reads the rows behind the block's current one; returns how many, 0 behind the last. */
    public int read(ResultBlock block) {
        columns = block.columnCount();
        if (cells.length < columns * ROWS) {
            cells = new long[columns * ROWS];
            places = new int[columns * ROWS];
            offsets = new int[columns * ROWS];
            lengths = new int[columns * ROWS];
        }
        int rows = 0;
        int texts = 0;
        while (rows < ROWS && block.next()) {
            for (int column = 0; column < columns; column++) {
                int place = column * ROWS + rows;
                if (isText(block, column)) {
                    places[texts] = place;
                    offsets[texts] = block.bytesOffset(column);
                    lengths[texts] = block.bytesLength(column);
                    texts++;
                } else {
                    cells[place] = cell(block, column);
                }
            }
            rows++;
        }
        hashTexts(block.array(), texts);
        return rows;
    }

    private void hashTexts(byte[] source, int texts) {
        int text = 0;
        for (; text <= texts - PartitioningHash.LANES; text += PartitioningHash.LANES) {
            PartitioningHash.ofLanes(source, offsets, lengths, text, lanes);
            for (int lane = 0; lane < PartitioningHash.LANES; lane++) {
                cells[places[text + lane]] = lanes[lane];
            }
        }
        for (; text < texts; text++) {
            cells[places[text]] = PartitioningHash.ofBytes(source, offsets[text], lengths[text]);
        }
    }

    /**
     * Makes the hashes of the rows that were read last.
     *
     * @param hashes has the seed of each of {@link #ROWS} rows and gets its hash; other seeds give other hashes
     */
    public void hash(long[] hashes) {
        long hash0 = hashes[0];
        long hash1 = hashes[1];
        long hash2 = hashes[2];
        long hash3 = hashes[3];
        for (int place = 0; place < columns * ROWS; place += ROWS) {
            hash0 = PartitioningHash.ofWide(hash0, cells[place]);
            hash1 = PartitioningHash.ofWide(hash1, cells[place + 1]);
            hash2 = PartitioningHash.ofWide(hash2, cells[place + 2]);
            hash3 = PartitioningHash.ofWide(hash3, cells[place + 3]);
        }
        hashes[0] = hash0;
        hashes[1] = hash1;
        hashes[2] = hash2;
        hashes[3] = hash3;
    }

    private static boolean isText(ResultBlock block, int column) {
        return block.kind(column).storage() == TypeKind.Storage.BYTES && !block.isWide(column) && !block.isNull(column);
    }

    /** Hash of a value that is no text. */
    private static long cell(ResultBlock block, int column) {
        if (block.isNull(column)) {
            return NULL_CELL;
        }
        if (block.isWide(column)) {
            return PartitioningHash.ofWide(block.getHigh(column), block.getLow(column));
        }
        return block.kind(column).storage() == TypeKind.Storage.DOUBLE
                ? PartitioningHash.ofDouble(block.getDouble(column))
                : PartitioningHash.ofLong(block.getUnscaled(column));
    }
}
