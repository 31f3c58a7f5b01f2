package dev.fulmar.engine.table;

import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;

/**
 * The dirty marks of slots, which tell which slots of a partition the next checkpoint needs. Every change of a slot
 * leaves a mark in its header. A checkpoint begins by taking the other mark for the changes from then on; slots with
 * the former one are those that it needs, and before such a slot changes, it is saved as it is. So a checkpoint shows
 * one moment although transactions go on. Off until {@link #start}; then a change costs one comparison.
 */
public final class DirtyMarks {
    private static final int SAVED_BYTES = 64 << 10;

    /** A bucket of a table that has left the partition. */
    private record GoneBucket(int table, int number) {}

    private final AtomicLong markedBytes = new AtomicLong();
    private final AtomicLong goneBytes = new AtomicLong();
    private final List<Integer> dropped = new ArrayList<>();
    private final List<GoneBucket> gone = new ArrayList<>();

    /**
     * Tables and buckets that went while a checkpoint was under way that needs rows of theirs. Each frees so much of
     * its memory, and says whether that was the last.
     */
    private final ArrayDeque<IntPredicate> leaving = new ArrayDeque<>();

    private final RowBatch saved = new RowBatch(SAVED_BYTES);
    private final UnmarkedBuckets unmarked = new UnmarkedBuckets();
    private int current;
    private int former;
    private boolean collecting;
    private long savedRows;

    DirtyMarks() {}

    /** From now on changes are marked. What is there is as the last checkpoint has it. */
    public void start() {
        current = RowLayout.CHANGED;
        former = RowLayout.CHANGED_TOO;
    }

    /** The mark of changes, a flag of the row; 0 while there is none. */
    int current() {
        return current;
    }

    /** Roughly the bytes of the rows that are marked, for any thread. */
    public long markedBytes() {
        return markedBytes.get();
    }

    /** Roughly the bytes of tables and buckets that went since the last checkpoint began, for any thread. */
    public long goneBytes() {
        return goneBytes.get();
    }

    private void went(Bucket bucket) {
        goneBytes.lazySet(goneBytes.getPlain() + bucket.usedBytes());
    }

    /** Rows that were saved because they changed while a checkpoint was under way. */
    public long savedRows() {
        return savedRows;
    }

    /** The slot changes for the first time since the mark changed. */
    void firstChange(Bucket bucket, long row) {
        int flags = RowLayout.flags(row);
        if (collecting && (flags & former) != 0 && !bucket.isUnmarked()) {
            bucket.save(row, bucket.slots().numberOf(row), saved);
            savedRows++;
        }
        RowLayout.setFlags(row, (flags & ~former) | current);
        markedBytes.lazySet(markedBytes.getPlain() + bucket.slotBytes());
    }

    /** The slot got a row that no checkpoint has. */
    void placed(Bucket bucket, long row) {
        if (current != 0) {
            RowLayout.setFlags(row, RowLayout.flags(row) | current);
            markedBytes.lazySet(markedBytes.getPlain() + bucket.slotBytes());
        }
    }

    /** The mark that slots needed by the checkpoint under way have. */
    int former() {
        return former;
    }

    /** A table came whole, with rows that were never marked: the next checkpoint needs all of them. */
    void came(TableStore table) {
        for (int number = 0; number < table.bucketCount(); number++) {
            came(table.bucket(number));
        }
    }

    /** A bucket came with its rows: the next checkpoint needs all of them. */
    void came(Bucket bucket) {
        if (current != 0) {
            unmarked.add(bucket);
        }
    }

    /**
     * The bucket leaves the partition, and its rows leave the checkpoints that begin later. One that is under way needs
     * its memory until it ends; {@link #keep}.
     */
    void left(Bucket bucket) {
        if (current != 0) {
            unmarked.remove(bucket);
            went(bucket);
            gone.add(new GoneBucket(bucket.tableId(), bucket.number()));
        }
    }

    /** Whether a checkpoint is under way. */
    boolean isCollecting() {
        return collecting;
    }

    /**
     * Marks so many slots of buckets that came whole; returns whether none is left, so that a checkpoint can begin
     * without delay.
     */
    boolean prepare(int mostSlots) {
        return unmarked.mark(mostSlots, current);
    }

    /** A checkpoint begins. */
    void begin(RowBatch batch) {
        Invariants.check(!collecting, "a partition begins a checkpoint after the one before has ended");
        prepare(Integer.MAX_VALUE);
        former = current;
        current = RowLayout.CHANGED + RowLayout.CHANGED_TOO - former;
        collecting = true;
        markedBytes.lazySet(0);
        goneBytes.lazySet(0);
        dropped.forEach(batch::removeTable);
        dropped.clear();
        gone.forEach(left -> batch.removeBucket(left.table, left.number));
        gone.clear();
    }

    /** Gives the batch what was saved. */
    void takeSaved(RowBatch batch) {
        batch.addAll(saved);
        saved.clear();
    }

    /** No slot has the former mark any more. */
    void end() {
        collecting = false;
    }

    /** The checkpoint under way comes to nothing, and needs nothing any more. */
    void abandon() {
        collecting = false;
        saved.clear();
    }

    /**
     * The table goes: its rows leave the checkpoints after the one under way.
     *
     * @return whether the one under way needs rows of it and keeps its memory; else that may be freed
     */
    boolean dropping(TableStore table, int tableId) {
        if (current == 0) {
            return false;
        }
        for (int number = 0; number < table.bucketCount(); number++) {
            unmarked.remove(table.bucket(number));
            went(table.bucket(number));
        }
        dropped.add(tableId);
        return keep(table::clearSome);
    }

    /** Has the memory freed by the checkpoint under way when it has all rows; returns false if none is under way. */
    boolean keep(IntPredicate memory) {
        if (collecting) {
            leaving.add(memory);
        }
        return collecting;
    }

    /** Whether something has gone that still has the memory which a checkpoint needed. */
    boolean hasLeaving() {
        return !leaving.isEmpty();
    }

    /**
     * Frees so much of what a checkpoint kept, which has all rows or comes to nothing; returns whether nothing is left.
     */
    boolean freeLeaving(int mostSlots) {
        IntPredicate first = leaving.peek();
        if (first != null && first.test(mostSlots)) {
            leaving.remove();
        }
        return leaving.isEmpty();
    }
}
