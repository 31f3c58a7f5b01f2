package dev.fulmar.engine.execution;

import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Executes on one partition a write that first runs a query and then a change for each of its rows, such as MERGE.
 * Another kind is a write that is followed by what keeps its keys whole. The partition has all rows that they need.
 * Belongs to the partition's thread.
 */
final class LocalSteps {
    private static final int FIRST_BYTES = 4096;

    private final ExecutionContext context;
    private final PartitionStatement source;
    private final StepChoice choice;
    private final List<Change> changes = new ArrayList<>();
    private final ResultBlockWriter rows;
    private final ResultBlock block = new ResultBlock();
    private final ResultBlockWriter yielded;
    private final ResultBlock yieldedBlock = new ResultBlock();

    /**
     * A change with the parameters of its next run.
     *
     * @param keeping what keeps the keys of all rows whole that the change has inserted; null if each run does
     */
    private record Change(
            PartitionStatement statement,
            int firstColumn,
            Bindings bindings,
            @Nullable LocalSteps keeping) {}

    LocalSteps(CompiledStatement.Steps steps, ExecutionContext context) {
        this.context = context;
        source = steps.source().on(context);
        choice = steps.choice();
        int column = choice.columns();
        for (CompiledStatement change : steps.changes()) {
            CompiledStatement.Steps own = change.steps();
            LocalSteps keeping = own != null && own.areOfInsert() ? new LocalSteps(own, context) : null;
            PartitionStatement statement = keeping == null ? change.on(context) : keeping.source;
            changes.add(new Change(statement, column, change.newBindings(), keeping));
            column += change.plan().parameters().size();
        }
        int mostBytes = (int) Math.min(Integer.MAX_VALUE, context.intermediateLimitBytes());
        rows = new ResultBlockWriter(FIRST_BYTES, mostBytes);
        yielded = new ResultBlockWriter(FIRST_BYTES, mostBytes);
    }

    /**
     * Runs the statement; whatever ends it early undoes it.
     *
     * @param layout of what it yields; without columns it yields a count
     */
    long run(Bindings bindings, ResultBlockWriter result, ResultLayout layout) {
        if (layout.columnCount() == 0) {
            return Undoing.run(context.requiredStorage().undoLog(), () -> change(bindings, null));
        }
        int start = result.begin(layout);
        boolean complete = false;
        try {
            Undoing.run(context.requiredStorage().undoLog(), () -> change(bindings, result));
            result.end();
            complete = true;
        } finally {
            if (!complete) {
                result.truncate(start);
            }
        }
        return result.rowCount();
    }

    private long change(Bindings bindings, @Nullable ResultBlockWriter result) {
        rows.clear();
        source.run(bindings, rows);
        return follow(result);
    }

    /** Runs the changes for the source's rows. */
    private long follow(@Nullable ResultBlockWriter result) {
        block.wrap(rows.array(), 0, rows.size());
        long count = 0;
        for (int i = 0; i < changes.size(); i++) {
            long changed = change(i, choice.yields(i, changes.size()) ? result : null);
            count = choice.count(count, changed, i);
        }
        if (!choice.isUpkeep()) {
            return count;
        }
        if (result != null) {
            block.beforeFirst();
            while (block.next()) {
                result.appendRow(block, choice.keyColumns());
            }
        }
        return block.rowCount();
    }

    private long change(int position, @Nullable ResultBlockWriter result) {
        Change change = changes.get(position);
        LocalSteps keeping = change.keeping();
        if (keeping != null) {
            return insert(position, change, keeping, result);
        }
        int parameters = change.statement().compiled().parameterTypes().count();
        long changed = 0;
        block.beforeFirst();
        while (block.next()) {
            if (!choice.isFor(block, position, change.firstColumn(), parameters)) {
                continue;
            }
            change.bindings().reset(change.statement().compiled().parameterTypes());
            RowBindings.bind(block, change.firstColumn(), change.bindings());
            yielded.clear();
            long rowsOrCount = change.statement().run(change.bindings(), yielded);
            changed += rowsOrCount;
            if (choice.isDemanding(position)) {
                choice.require(position, rowsOrCount, block, change.firstColumn());
            } else if (result != null) {
                yieldedBlock.wrap(yielded.array(), 0, yielded.size());
                while (yieldedBlock.next()) {
                    result.appendRow(yieldedBlock);
                }
            }
        }
        return changed;
    }

    /** Inserts all rows, as several partitions do it, before their keys are looked for. */
    private long insert(int position, Change change, LocalSteps keeping, @Nullable ResultBlockWriter result) {
        int parameters = change.statement().compiled().parameterTypes().count();
        keeping.rows.clear();
        keeping.rows.begin(change.statement().compiled().resultLayout());
        block.beforeFirst();
        while (block.next()) {
            if (!choice.isFor(block, position, change.firstColumn(), parameters)) {
                continue;
            }
            change.bindings().reset(change.statement().compiled().parameterTypes());
            RowBindings.bind(block, change.firstColumn(), change.bindings());
            yielded.clear();
            change.statement().run(change.bindings(), yielded);
            yieldedBlock.wrap(yielded.array(), 0, yielded.size());
            while (yieldedBlock.next()) {
                keeping.rows.appendRow(yieldedBlock);
            }
        }
        keeping.rows.end();
        return keeping.follow(result);
    }
}
