package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.engine.execution.RowBindings;
import dev.fulmar.engine.execution.StepChoice;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.engine.procedure.StatementBatch;
import dev.fulmar.engine.procedure.StatementRunner;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Runs one write in steps over several partitions: its source first, then its changes row by row, many rows at once. A
 * write with keys over partitions is a source itself, and its changes keep these keys whole.
 */
final class DistributedSteps {
    private static final int FIRST_BYTES = 4096;

    /** Rows of a change that are on their way at once. */
    private static final int ROWS_AT_ONCE = 1000;

    /** A row is left out whose key another one has. */
    private static final long UNDONE = -1;

    private final StatementRunner runner;
    private final FragmentDispatch dispatch;
    private final int limitBytes;

    /** @param limitBytes most that the source's rows may take */
    DistributedSteps(StatementRunner runner, FragmentDispatch dispatch, long limitBytes) {
        this.runner = runner;
        this.dispatch = dispatch;
        this.limitBytes = (int) Math.min(Integer.MAX_VALUE, limitBytes);
    }

    /** Runs a statement that yields rows, and writes their block; if it fails, nothing of it stays. */
    void run(ProcedureStatement.Steps steps, Bindings bindings, ResultBlockWriter result, ResultLayout layout) {
        int start = result.begin(layout);
        boolean complete = false;
        try {
            change(steps, bindings, result);
            result.end();
            complete = true;
        } finally {
            if (!complete) {
                result.truncate(start);
            }
        }
    }

    /** Runs a statement that yields a count; if it fails, nothing of it stays. */
    long run(ProcedureStatement.Steps steps, Bindings bindings) {
        return change(steps, bindings, null);
    }

    private long change(ProcedureStatement.Steps steps, Bindings bindings, @Nullable ResultBlockWriter result) {
        int first = dispatch.nextStatement();
        try {
            ResultBlock rows = new NestedQuery(runner, limitBytes).rows(steps.source(), bindings);
            long count = 0;
            StepChoice choice = steps.choice();
            int column = choice.columns();
            for (int i = 0; i < steps.changes().size(); i++) {
                ProcedureStatement change = steps.changes().get(i);
                boolean yields = choice.yields(i, steps.changes().size());
                int parameters = change.compiled().plan().parameters().size();
                long changed = change(change, new Rows(rows, column, parameters, choice, i), yields ? result : null);
                if (changed == UNDONE) {
                    dispatch.undoFrom(first);
                    return 0;
                }
                count = choice.count(count, changed, i);
                column += parameters;
            }
            return choice.isUpkeep() ? own(rows, choice, result) : count;
        } catch (FulmarException e) {
            dispatch.undoFrom(first);
            throw e;
        }
    }

    /** The count of a write whose keys are whole; its rows go to the result. */
    private static long own(ResultBlock rows, StepChoice choice, @Nullable ResultBlockWriter result) {
        if (result != null) {
            rows.beforeFirst();
            while (rows.next()) {
                result.appendRow(rows, choice.keyColumns());
            }
        }
        return rows.rowCount();
    }

    /** The source's rows as one change reads them: those that are for it, from one column on. */
    private record Rows(ResultBlock block, int firstColumn, int columns, StepChoice choice, int change) {
        boolean next() {
            boolean more = block.next();
            while (more && !choice.isFor(block, change, firstColumn, columns)) {
                more = block.next();
            }
            return more;
        }

        /**
         * Whether each row that was run from one position on has what is demanded of it; false if the write is to be
         * undone.
         */
        boolean require(StatementBatch batch, int firstRow) {
            block.at(firstRow);
            for (int i = 0; i < batch.size(); i++) {
                ResultBlockWriter writer = batch.writer();
                int start = batch.blockStart(i);
                int yielded = new ResultBlock()
                        .wrap(writer.array(), start, writer.size() - start)
                        .rowCount();
                if (choice.isUndone(change, yielded)) {
                    Invariants.check(block.rowCount() == 1, "a write that may be undone is of one row");
                    return false;
                }
                choice.require(change, yielded, block, firstColumn);
                next();
            }
            return true;
        }
    }

    /** The rows that were changed; or {@link #UNDONE}. */
    private long change(ProcedureStatement change, Rows rows, @Nullable ResultBlockWriter result) {
        ProcedureStatement.Steps steps = change.steps();
        if (steps != null && KeptInserts.takes(change)) {
            return insert(steps, rows, result);
        }
        StatementBatch batch = new StatementBatch(new ResultBlockWriter(FIRST_BYTES, limitBytes));
        long changed = 0;
        rows.block().beforeFirst();
        boolean more = rows.next();
        while (more) {
            int firstRow = rows.block().row();
            batch.clear();
            batch.writer().clear();
            while (more && batch.size() < ROWS_AT_ONCE) {
                RowBindings.bind(rows.block(), rows.firstColumn(), batch.add(change));
                more = rows.next();
            }
            int nextRow = more ? rows.block().row() : 0;
            runner.execute(batch);
            if (rows.choice().isDemanding(rows.change())) {
                if (!rows.require(batch, firstRow)) {
                    return UNDONE;
                }
            } else {
                changed += collect(batch, result);
            }
            if (more) {
                rows.block().at(nextRow);
            }
        }
        return changed;
    }

    private long insert(ProcedureStatement.Steps insert, Rows rows, @Nullable ResultBlockWriter result) {
        KeptInserts inserts = new KeptInserts(runner, dispatch, limitBytes, insert, rows.block(), rows.firstColumn());
        long inserted = 0;
        rows.block().beforeFirst();
        int[] positions = new int[ROWS_AT_ONCE];
        boolean more = rows.next();
        while (more) {
            int count = 0;
            while (more && count < ROWS_AT_ONCE) {
                positions[count++] = rows.block().row();
                more = rows.next();
            }
            int nextRow = more ? rows.block().row() : 0;
            inserted += inserts.run(Arrays.copyOf(positions, count), result);
            if (more) {
                rows.block().at(nextRow);
            }
        }
        inserts.lookForReferences();
        return inserted;
    }

    private static long collect(StatementBatch batch, @Nullable ResultBlockWriter result) {
        long changed = 0;
        for (int i = 0; i < batch.size(); i++) {
            changed += batch.changedRows(i);
            if (result != null) {
                append(batch, i, result);
            }
        }
        return changed;
    }

    private static void append(StatementBatch batch, int position, ResultBlockWriter result) {
        int start = batch.blockStart(position);
        ResultBlock block = new ResultBlock();
        block.wrap(batch.writer().array(), start, batch.writer().size() - start);
        while (block.next()) {
            result.appendRow(block);
        }
    }
}
