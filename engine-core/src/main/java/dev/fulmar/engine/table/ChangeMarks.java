package dev.fulmar.engine.table;

import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which slots of a partition the next checkpoint needs. Every change of a slot leaves a mark in its header. A checkpoint begins by taking the
 * other mark for the changes from then on; slots with the former one are those that it needs, and before such a slot changes, it
 * is saved as it is. So a checkpoint shows one moment although transactions go on. Off until {@link #start}; then a change costs one comparison.
 */
public final class ChangeMarks {
    private static final int SAVED_BYTES = 64 << 10;

    private final AtomicLong markedBytes = new AtomicLong();
    private final List<Integer> dropped = new ArrayList<>();
    private final RowBatch saved = new RowBatch(SAVED_BYTES);
    private int current;
    private int former;
    private boolean collecting;
    private long savedRows;

    ChangeMarks() {}

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

    /** Rows that were saved because they changed while a checkpoint was under way. */
    public long savedRows() {
        return savedRows;
    }

    /** The slot changes for the first time since the mark changed. */
    void firstChange(Bucket bucket, long row) {
        int flags = RowLayout.flags(row);
        if (collecting && (flags & former) != 0) {
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

    /** A checkpoint begins. */
    void begin(RowBatch batch) {
        former = current;
        current = RowLayout.CHANGED + RowLayout.CHANGED_TOO - former;
        collecting = true;
        markedBytes.lazySet(0);
        dropped.forEach(batch::removeTable);
        dropped.clear();
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

    /** The table goes: its rows leave the checkpoints, and one under way gets them before. */
    void dropping(TableStore table, int tableId) {
        if (current == 0) {
            return;
        }
        if (collecting) {
            for (int number = 0; number < table.bucketCount(); number++) {
                savedRows += table.bucket(number).saveMarked(former, saved);
            }
        }
        dropped.add(tableId);
    }
}
