package dev.fulmar.engine.execution;

import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultBlockWriter;
import java.util.ArrayList;
import java.util.List;

/** A write in steps on one partition, which has all that it reads and changes. Belongs to the partition's thread. */
final class StepsHere {
    private static final int FIRST_BYTES = 4096;

    private final ExecutionContext context;
    private final PartitionStatement source;
    private final List<Change> changes = new ArrayList<>();
    private final ResultBlockWriter rows;
    private final ResultBlock block = new ResultBlock();

    /** A change with the parameters of its next run. */
    private record Change(PartitionStatement statement, int firstColumn, Bindings bindings) {}

    StepsHere(CompiledStatement.Steps steps, ExecutionContext context) {
        this.context = context;
        source = steps.source().on(context);
        int column = 0;
        for (CompiledStatement change : steps.changes()) {
            changes.add(new Change(change.on(context), column, change.newBindings()));
            column += change.plan().parameters().size();
        }
        rows = new ResultBlockWriter(FIRST_BYTES, (int) Math.min(Integer.MAX_VALUE, context.intermediateLimitBytes()));
    }

    /** Runs the statement; whatever ends it early undoes it. */
    long run(Bindings bindings) {
        rows.clear();
        source.run(bindings, rows);
        block.wrap(rows.array(), 0, rows.size());
        return Undoing.run(context.requiredStorage().undoLog(), this::change);
    }

    private long change() {
        long count = 0;
        for (int i = 0; i < changes.size(); i++) {
            long changed = change(changes.get(i));
            count = i == 0 ? changed : count;
        }
        return count;
    }

    private long change(Change change) {
        long changed = 0;
        block.beforeFirst();
        while (block.next()) {
            change.bindings().reset(change.statement().compiled().parameterTypes());
            RowBindings.bind(block, change.firstColumn(), change.bindings());
            changed += change.statement().run(change.bindings(), rows);
        }
        return changed;
    }
}
