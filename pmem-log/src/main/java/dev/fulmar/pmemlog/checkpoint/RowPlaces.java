package dev.fulmar.pmemlog.checkpoint;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Map from rows to their slots in the master heap. Rows of a bucket are numbered without large gaps, so a row costs
 * eight bytes.
 */
final class RowPlaces {
    private static final int CHUNK = 1024;
    private static final long[] NO_CHUNK = {};

    private final Map<Long, long[][]> buckets = new HashMap<>();
    private long count;

    /** Rows that have a slot. */
    long count() {
        return count;
    }

    /** The row's slot; {@link LoggedRow#NO_SLOT} if it has none. */
    long get(int table, int bucket, long row) {
        long[][] chunks = buckets.get(key(table, bucket));
        int chunk = chunkOf(row);
        if (chunks == null || chunk >= chunks.length || chunks[chunk].length == 0) {
            return LoggedRow.NO_SLOT;
        }
        return chunks[chunk][(int) (row % CHUNK)] - 1;
    }

    /** Sets the row's slot, or that it has none; returns the one before. */
    long put(int table, int bucket, long row, long slot) {
        long[][] chunks = buckets.get(key(table, bucket));
        int chunk = chunkOf(row);
        if (chunks == null || chunk >= chunks.length) {
            int before = chunks == null ? 0 : chunks.length;
            long[][] grown = new long[Math.max(chunk + 1, before + before / 2)][];
            Arrays.fill(grown, NO_CHUNK);
            if (chunks != null) {
                System.arraycopy(chunks, 0, grown, 0, before);
            }
            buckets.put(key(table, bucket), grown);
            chunks = grown;
        }
        if (chunks[chunk].length == 0) {
            chunks[chunk] = new long[CHUNK];
        }
        int index = (int) (row % CHUNK);
        long before = chunks[chunk][index] - 1;
        chunks[chunk][index] = slot + 1;
        if (before == LoggedRow.NO_SLOT && slot != LoggedRow.NO_SLOT) {
            count++;
        } else if (before != LoggedRow.NO_SLOT && slot == LoggedRow.NO_SLOT) {
            count--;
        }
        return before;
    }

    /** The table's buckets that ever had a row, ascending. */
    List<Integer> buckets(int table) {
        return buckets.keySet().stream()
                .filter(key -> (int) (key >> Integer.SIZE) == table)
                .map(Long::intValue)
                .sorted()
                .toList();
    }

    /** One more than the highest number that a row of the bucket ever had. */
    long rowLimit(int table, int bucket) {
        long[][] chunks = buckets.get(key(table, bucket));
        return chunks == null ? 0 : (long) chunks.length * CHUNK;
    }

    private static int chunkOf(long row) {
        return Math.toIntExact(row / CHUNK);
    }

    private static long key(int table, int bucket) {
        return ((long) table << Integer.SIZE) | Integer.toUnsignedLong(bucket);
    }
}
