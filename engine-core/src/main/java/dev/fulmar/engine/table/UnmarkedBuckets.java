package dev.fulmar.engine.table;

import dev.fulmar.engine.row.RowLayout;
import java.util.ArrayDeque;

/**
 * Buckets that came whole: the next checkpoint needs all their rows, though these have no mark of this partition yet.
 * To look at each row while everything waits would take as long as the bucket is large, so they get their marks piece
 * by piece before that checkpoint begins.
 */
final class UnmarkedBuckets {
    private static final int MARKS = RowLayout.CHANGED | RowLayout.CHANGED_TOO;

    private final ArrayDeque<Bucket> buckets = new ArrayDeque<>();

    // Where the first bucket is marked next.
    private int page;
    private int slotInPage;

    void add(Bucket bucket) {
        bucket.setUnmarked(true);
        buckets.add(bucket);
    }

    /** The bucket goes, if it is here; it stays without marks, for a checkpoint under way may meet it yet. */
    void remove(Bucket bucket) {
        if (buckets.peek() == bucket) {
            next();
        } else {
            buckets.remove(bucket);
        }
    }

    private void next() {
        buckets.remove();
        page = 0;
        slotInPage = 0;
    }

    /** Marks so many slots, which lose other marks; returns whether none is left. */
    boolean mark(int mostSlots, int mark) {
        int left = mostSlots;
        Bucket bucket = buckets.peek();
        while (bucket != null && left > 0) {
            if (page < bucket.slots().scannedPages()) {
                left -= markPage(bucket, left, mark);
            } else {
                bucket.setUnmarked(false);
                next();
                bucket = buckets.peek();
            }
        }
        return buckets.isEmpty();
    }

    /** Marks some slots of the page and goes on behind them; returns how many. */
    private int markPage(Bucket rows, int mostSlots, int mark) {
        SlotStore slots = rows.slots();
        int begin = slotInPage;
        int end = slots.scannedSlots(page);
        int until = Math.min(end, begin + mostSlots);
        long slot = slots.pageAddress(page) + (long) begin * rows.slotBytes();
        for (int i = begin; i < until; i++, slot += rows.slotBytes()) {
            RowLayout.setFlags(slot, (RowLayout.flags(slot) & ~MARKS) | mark);
        }
        slotInPage = until;
        if (until >= end) {
            page++;
            slotInPage = 0;
        }
        return Math.max(0, until - begin);
    }
}
