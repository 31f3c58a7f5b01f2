package dev.fulmar.engine.table;

import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.spi.Statistics.KeyValues;
import dev.fulmar.foundation.data.PartitioningHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Estimates how many different values columns, and the first columns of indexes, have in a table on one partition, from
 * some of its rows. Reads, and keeps nothing; its time is bounded whatever the size of the table. The same table yields
 * the same estimates.
 */
public final class TableSample {
    private static final int MOST_ROWS = 1_024;

    /**
     * Most values, of all rows looked at together. Looking at one takes some ten nanoseconds, and no transaction runs
     * meanwhile.
     */
    private static final int MOST_VALUES = 16_384;

    private static final int LEAST_ROWS = 64;

    /** Most columns that are looked at; statements seldom ask of further ones. */
    private static final int MOST_COLUMNS = 128;

    private static final long NULL_HASH = 0x5851_F42D_4C95_7F2DL;

    private final RowLayout layout;
    private final List<List<Integer>> keys;
    private final long[][] hashes;
    private int sampled;

    private TableSample(RowLayout layout, List<List<Integer>> keys, int rows) {
        this.layout = layout;
        this.keys = keys;
        hashes = new long[keys.size()][rows];
    }

    /** Between two transactions: what one under way has changed counts as it is now. */
    public static List<KeyValues> of(TableStore store) {
        List<List<Integer>> keys = keys(store.definition());
        int rows = Math.clamp(MOST_VALUES / Math.max(1, keys.size()), LEAST_ROWS, MOST_ROWS);
        TableSample sample = new TableSample(store.layout(), keys, rows);
        sample.take(store, rows);
        return sample.values(store.rowCount());
    }

    /**
     * The columns, and what indexes begin with, but for the whole keys of unique ones, which have as many values as
     * there are rows.
     */
    private static List<List<Integer>> keys(Table table) {
        List<List<Integer>> keys = new ArrayList<>();
        for (int column = 0; column < Math.min(MOST_COLUMNS, table.columns().size()); column++) {
            keys.add(List.of(column));
        }
        for (Index index : table.indexes()) {
            List<Integer> columns = index.columns().stream()
                    .takeWhile(column -> !column.isComputed())
                    .map(IndexColumn::column)
                    .toList();
            int longest =
                    index.unique() && columns.size() == index.columns().size() ? columns.size() - 1 : columns.size();
            for (int length = 2; length <= longest; length++) {
                if (!keys.contains(columns.subList(0, length))) {
                    keys.add(columns.subList(0, length));
                }
            }
        }
        return keys;
    }

    /**
     * Takes the rows of the sample. Rows that were inserted together lie together and are often alike, so that rows
     * evenly apart, or one of each stretch, would say that hardly a value comes twice.
     */
    private void take(TableStore store, int rows) {
        long[] places = places(rows, slots(store));
        long before = 0;
        int next = 0;
        for (int bucket = 0; bucket < store.bucketCount(); bucket++) {
            SlotStore pages = store.bucket(bucket).slots();
            for (int page = 0; page < pages.scannedPages(); page++) {
                int here = pages.scannedSlots(page);
                for (; next < places.length && places[next] < before + here; next++) {
                    takeRow(pages.pageAddress(page) + (places[next] - before) * layout.slotBytes());
                }
                before += here;
            }
        }
    }

    private static long slots(TableStore store) {
        long slots = 0;
        for (int bucket = 0; bucket < store.bucketCount(); bucket++) {
            SlotStore pages = store.bucket(bucket).slots();
            for (int page = 0; page < pages.scannedPages(); page++) {
                slots += pages.scannedSlots(page);
            }
        }
        return slots;
    }

    /**
     * Ascending. All slots of a small table; else slots that are drawn, each by itself, by numbers that are the same
     * each time.
     */
    private static long[] places(int rows, long slots) {
        return slots <= rows
                ? LongStream.range(0, slots).toArray()
                : LongStream.range(0, rows)
                        .map(number -> Math.floorMod(PartitioningHash.ofLong(number), slots))
                        .sorted()
                        .distinct()
                        .toArray();
    }

    private void takeRow(long row) {
        if (!RowLayout.isVisible(row)) {
            return;
        }
        for (int key = 0; key < keys.size(); key++) {
            long hash = 0;
            for (int column : keys.get(key)) {
                hash = PartitioningHash.ofLong(hash) ^ hash(row, column);
            }
            hashes[key][sampled] = hash;
        }
        sampled++;
    }

    private long hash(long row, int column) {
        if (RowLayout.isNull(row, column)) {
            return NULL_HASH;
        }
        return switch (layout.kind(column)) {
            case BYTE, SHORT, INT, LONG -> PartitioningHash.ofLong(layout.getLong(row, column));
            case FLOAT, DOUBLE -> PartitioningHash.ofDouble(layout.getDouble(row, column));
            case WIDE -> PartitioningHash.ofWide(layout.wideHigh(row, column), layout.wideLow(row, column));
            case BYTES -> PartitioningHash.ofNative(layout.bytesAddress(row, column), layout.bytesLength(row, column));
        };
    }

    private List<KeyValues> values(long rows) {
        List<KeyValues> values = new ArrayList<>();
        if (sampled > 0) {
            for (int key = 0; key < keys.size(); key++) {
                values.add(new KeyValues(keys.get(key), estimate(hashes[key], sampled, Math.max(rows, sampled))));
            }
        }
        return values;
    }

    /**
     * The estimator of Haas and Stokes that goes by how many values came once. It is n d / (n - f + f n / N) for n rows
     * of N with d values of which f came once. Where all came once, all rows differ; where none did, all values were
     * seen.
     */
    static long estimate(long[] hashes, int count, long rows) {
        Arrays.sort(hashes, 0, count);
        long different = 0;
        long once = 0;
        int begin = 0;
        for (int i = 1; i <= count; i++) {
            if (i == count || hashes[i] != hashes[begin]) {
                different++;
                once += i - begin == 1 ? 1 : 0;
                begin = i;
            }
        }
        double share = (double) count / rows;
        double estimate = count * different / (count - once + once * share);
        return Math.clamp(Math.round(estimate), Math.max(1, different), Math.max(1, rows));
    }
}
