package dev.fulmar.engine.procedure.invocation;

import dev.fulmar.engine.procedure.StatementBatch;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.procedure.Results;
import dev.fulmar.procedure.Rows;
import java.util.Arrays;

/** Outcomes of one batch, kept until the call ends. Reused by a batch of the same place in a later call. */
final class ResultsView implements Results {
    private static final RowsView[] NONE = {};

    private final ViewPool pool;
    private int size;
    private RowsView[] views = NONE;
    private boolean[] hasRows = {};
    private long[] changedRows = {};

    ResultsView(ViewPool pool) {
        this.pool = pool;
    }

    /** Takes the outcomes of an executed batch. */
    ResultsView open(StatementBatch batch) {
        size = batch.size();
        if (views.length < size) {
            int capacity = Math.max(size, 2 * views.length);
            views = new RowsView[capacity];
            hasRows = Arrays.copyOf(hasRows, capacity);
            changedRows = Arrays.copyOf(changedRows, capacity);
        }
        for (int i = 0; i < size; i++) {
            int blockStart = batch.blockStart(i);
            hasRows[i] = blockStart != StatementBatch.NO_BLOCK;
            changedRows[i] = batch.changedRows(i);
            if (hasRows[i]) {
                views[i] = pool.rows().open(batch.statement(i).shape(), blockStart);
            }
        }
        return this;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Rows rows(int position) {
        check(position);
        if (!hasRows[position]) {
            throw new FulmarException(
                    ErrorCode.PROCEDURE_FAILED,
                    "statement " + position + " of the batch changes rows and yields none; ask for changedRows("
                            + position + ")");
        }
        return views[position].rewind();
    }

    @Override
    public long changedRows(int position) {
        check(position);
        return changedRows[position];
    }

    private void check(int position) {
        if (position < 0 || position >= size) {
            throw new IndexOutOfBoundsException("result " + position + " of a batch of " + size + " statements");
        }
    }
}
