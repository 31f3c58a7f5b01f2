package dev.fulmar.engine.table;

import dev.fulmar.engine.version.Snapshot;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of a partition as readers of earlier snapshots see them. A bucket that was handed over to the partition
 * is hidden from snapshots before its hand-off, which have its rows at the source. A bucket that was handed over to
 * another partition stays for them until none of them is left. Transactions see neither. Invariants:
 *
 * <ul>
 *   <li>A reader sees each row of a moved bucket once: at the source if its timestamp is below that of the hand-off, at
 *       the destination otherwise.
 *   <li>A bucket that has left keeps its memory as long as a reader or a kept version needs it.
 * </ul>
 *
 * <p>For the partition's thread.
 */
final class BucketHistory {
    /**
     * A bucket that has left.
     *
     * @param since commit timestamp of the hand-off by which it came; 0 if none is remembered
     * @param until commit timestamp of the hand-off by which it left
     */
    private record Former(DetachedBucket bucket, long since, long until) {
        boolean isVisible(long timestamp) {
            return since <= timestamp && timestamp < until;
        }
    }

    /** Commit timestamps of hand-offs by the numbers of the buckets that came with them. */
    private final Map<Integer, Long> arrivals = new TreeMap<>();

    private final List<Former> formers = new ArrayList<>();

    /** Commit timestamp of the newest hand-off that is remembered; 0 if none is. */
    private long newest;

    /** Whether the snapshot may see other buckets than transactions do. */
    boolean concerns(Snapshot snapshot) {
        return snapshot.timestamp() < newest;
    }

    /** Whether the snapshot sees the partition's bucket of that number. */
    boolean isVisible(int number, Snapshot snapshot) {
        return arrivals.getOrDefault(number, 0L) <= snapshot.timestamp();
    }

    /** Shows the buckets that have left, and that the snapshot sees. */
    void visitFormer(Snapshot snapshot, Consumer<DetachedBucket> visitor) {
        for (Former former : formers) {
            if (former.isVisible(snapshot.timestamp())) {
                visitor.accept(former.bucket);
            }
        }
    }

    /** The bucket that has left and has the row; null if a bucket of the partition has it. */
    @Nullable DetachedBucket formerOf(long row) {
        for (Former former : formers) {
            if (former.bucket.has(row)) {
                return former.bucket;
            }
        }
        return null;
    }

    /** A bucket came by a hand-off. */
    void arrived(int number, long commitTimestamp) {
        arrivals.put(number, commitTimestamp);
        newest = Math.max(newest, commitTimestamp);
    }

    /** A bucket left by a hand-off; its memory is this one's until {@link #release}. */
    void left(int number, DetachedBucket bucket, long commitTimestamp) {
        Long since = arrivals.remove(number);
        formers.add(new Former(bucket, since == null ? 0 : since, commitTimestamp));
        newest = Math.max(newest, commitTimestamp);
    }

    /** A checkpoint begins, which has none of the buckets that have left. */
    void checkpointBegins() {
        formers.forEach(former -> former.bucket.leaveCheckpoints());
    }

    /** Whether buckets have left that are kept for readers. */
    boolean hasFormers() {
        return !formers.isEmpty();
    }

    /** Whether a hand-off is remembered that no reader is before, where the oldest one reads at the timestamp. */
    boolean isDue(long oldestReader) {
        return newest != 0
                && (formers.stream().anyMatch(former -> former.until <= oldestReader)
                        || arrivals.values().stream().anyMatch(since -> since <= oldestReader));
    }

    /**
     * Forgets hand-offs that no reader is before.
     *
     * @param oldest no reader and no kept version is before it; the highest possible timestamp where there are none
     * @param gone takes buckets that were kept
     */
    void release(long oldest, Consumer<DetachedBucket> gone) {
        if (newest == 0) {
            return;
        }
        arrivals.values().removeIf(since -> since <= oldest);
        for (Iterator<Former> each = formers.iterator(); each.hasNext(); ) {
            Former former = each.next();
            if (former.until <= oldest) {
                each.remove();
                gone.accept(former.bucket);
            }
        }
        if (arrivals.isEmpty() && formers.isEmpty()) {
            newest = 0;
        }
    }

    /** Bytes of native memory of buckets that have left. */
    long reservedBytes() {
        return formers.stream()
                .mapToLong(former -> former.bucket.reservedBytes())
                .sum();
    }
}
