package dev.fulmar.engine.partition.counter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Durations in buckets whose width is at most an eighth of their value. One thread records; readers add histograms up
 * and ask for quantiles.
 */
public final class LatencyHistogram {
    private static final int SUB_BUCKET_BITS = 3;
    private static final int SUB_BUCKETS = 1 << SUB_BUCKET_BITS;
    private static final int BUCKETS = (Long.SIZE - SUB_BUCKET_BITS) * SUB_BUCKETS;
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] counts = new long[BUCKETS];

    /** Counts one duration; a negative one counts as 0. */
    public void record(long nanos) {
        int bucket = bucketOf(Math.max(nanos, 0));
        ELEMENT.setOpaque(counts, bucket, counts[bucket] + 1);
    }

    /** Adds what the other recorded. */
    public void add(LatencyHistogram other) {
        for (int i = 0; i < BUCKETS; i++) {
            ELEMENT.setOpaque(counts, i, counts[i] + (long) ELEMENT.getOpaque(other.counts, i));
        }
    }

    /** Takes away what an earlier copy had; what was recorded since remains. */
    public void subtract(LatencyHistogram earlier) {
        for (int i = 0; i < BUCKETS; i++) {
            ELEMENT.setOpaque(counts, i, counts[i] - (long) ELEMENT.getOpaque(earlier.counts, i));
        }
    }

    public long count() {
        long sum = 0;
        for (int i = 0; i < BUCKETS; i++) {
            sum += (long) ELEMENT.getOpaque(counts, i);
        }
        return sum;
    }

    /**
     * The duration in nanoseconds that the given share of all durations does not exceed, rounded up to its bucket; 0 if
     * there are none.
     */
    public long quantileNanos(double share) {
        long total = count();
        if (total == 0) {
            return 0;
        }
        long wanted = Math.max(1, (long) Math.ceil(share * total));
        long seen = 0;
        for (int i = 0; i < BUCKETS; i++) {
            seen += (long) ELEMENT.getOpaque(counts, i);
            if (seen >= wanted) {
                return upperBound(i);
            }
        }
        return upperBound(BUCKETS - 1);
    }

    private static int bucketOf(long nanos) {
        if (nanos < SUB_BUCKETS) {
            return (int) nanos;
        }
        int shift = Long.SIZE - 1 - SUB_BUCKET_BITS - Long.numberOfLeadingZeros(nanos);
        return ((shift + 1) << SUB_BUCKET_BITS) + (int) ((nanos >>> shift) & (SUB_BUCKETS - 1));
    }

    private static long upperBound(int bucket) {
        if (bucket < SUB_BUCKETS) {
            return bucket;
        }
        int shift = (bucket >>> SUB_BUCKET_BITS) - 1;
        long lower = (long) (SUB_BUCKETS + (bucket & (SUB_BUCKETS - 1))) << shift;
        return lower + (1L << shift) - 1;
    }
}
