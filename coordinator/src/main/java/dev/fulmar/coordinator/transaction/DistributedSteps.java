package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.engine.execution.RowBindings;
import dev.fulmar.engine.execution.StepChoice;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.engine.procedure.StatementBatch;
import dev.fulmar.engine.procedure.StatementRunner;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.error.FulmarException;
import org.jspecify.annotations.Nullable;

/**
 * Runs one write in steps over several partitions: its source first, then its changes row by row, many rows at once.
 */
final class DistributedSteps {
    private static final int FIRST_BYTES = 4096;

    /** Rows of a change that are on their way at once. */
    private static final int ROWS_AT_ONCE = 1000;

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
            StepChoice choice = new StepChoice(steps.chosen());
            int column = choice.columns();
            for (int i = 0; i < steps.changes().size(); i++) {
                ProcedureStatement change = steps.changes().get(i);
                boolean yields = choice.yields(i, steps.changes().size());
                long changed = change(change, new Rows(rows, column, choice, i), yields ? result : null);
                count = choice.count(count, changed, i);
                column += change.compiled().plan().parameters().size();
            }
            return count;
        } catch (FulmarException e) {
            dispatch.undoFrom(first);
            throw e;
        }
    }

    /** The source's rows as one change reads them: those that are for it, from one column on. */
    private record Rows(ResultBlock block, int firstColumn, StepChoice choice, int change) {
        boolean next() {
            boolean more = block.next();
            while (more && !choice.isFor(block, change)) {
                more = block.next();
            }
            return more;
        }
    }

    private long change(ProcedureStatement change, Rows rows, @Nullable ResultBlockWriter result) {
        StatementBatch batch = new StatementBatch(new ResultBlockWriter(FIRST_BYTES, limitBytes));
        long changed = 0;
        rows.block().beforeFirst();
        boolean more = rows.next();
        while (more) {
            batch.clear();
            batch.writer().clear();
            while (more && batch.size() < ROWS_AT_ONCE) {
                RowBindings.bind(rows.block(), rows.firstColumn(), batch.add(change));
                more = rows.next();
            }
            runner.execute(batch);
            for (int i = 0; i < batch.size(); i++) {
                changed += batch.changedRows(i);
                if (result != null) {
                    append(batch, i, result);
                }
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
