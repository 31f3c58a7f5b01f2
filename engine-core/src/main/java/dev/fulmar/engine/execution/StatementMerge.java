package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.ParameterSlots;
import dev.fulmar.engine.execution.operator.OperatorContext;
import dev.fulmar.engine.execution.operator.ReceivedRows;
import dev.fulmar.engine.execution.operator.RelationCompiler;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.plan.PartitionScope;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultBlockWriter;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what a statement's fragments yielded on their partitions: {@link #begin}, then {@link #addRows} or
 * {@link #addCount} for each fragment and partition in partition order, then {@link #finish}. May be used again. One
 * thread.
 */
public final class StatementMerge {
    private final CompiledStatement compiled;
    private final ExecutionContext context;
    private final ScratchMemory temporary;
    private final ScratchMemory memory;
    private final ReceivedRows received;
    private final ResultBlock block = new ResultBlock();
    private final @Nullable QueryCode code;
    private ParameterSlots parameters = new ParameterSlots();
    private @Nullable ResultBlockWriter concatenated;
    private long changedRows;

    StatementMerge(CompiledStatement compiled, ExecutionContext context) {
        this.compiled = compiled;
        this.context = context;
        temporary = new ScratchMemory(context.intermediateLimitBytes());
        memory = new ScratchMemory(context.intermediateLimitBytes());
        received = new ReceivedRows(memory);
        OperatorContext operators = new OperatorContext(
                compiled.catalog(), context.storage(), memory, context.budget(), null, context.place());
        code = compiled.plan()
                .merge()
                .map(relation -> new QueryCode(
                        new RelationCompiler(operators, received), relation, compiled.resultLayout(), temporary))
                .orElse(null);
    }

    /** Starts anew. */
    public void begin(Bindings bindings) {
        parameters = bindings.slots();
        memory.clear();
        temporary.clear();
        received.clear();
        changedRows = 0;
        concatenated = null;
    }

    /** Gives up what the rows take, but for a little that the next time needs again. */
    public void release() {
        received.clear();
        memory.shrink();
        temporary.shrink();
        concatenated = null;
    }

    /** Adds the result block that a fragment yielded on one partition. */
    public void addRows(int fragment, byte[] array, int offset, int length) {
        if (code != null) {
            received.add(fragment, array, offset, length);
            return;
        }
        ResultBlockWriter rows = concatenated;
        if (rows != null && isOnReplicas(fragment)) {
            return;
        }
        if (rows == null) {
            int limit = (int) Math.min(Integer.MAX_VALUE, context.intermediateLimitBytes());
            rows = new ResultBlockWriter(Math.min(length, limit), limit);
            rows.begin(compiled.resultLayout());
            concatenated = rows;
        }
        block.wrap(array, offset, length);
        while (block.next()) {
            rows.appendRow(block);
        }
    }

    /** Adds the count of a write on one partition. */
    public void addCount(int fragment, long count) {
        changedRows = isOnReplicas(fragment) ? count : changedRows + count;
    }

    /** Whether every partition yields the same. */
    private boolean isOnReplicas(int fragment) {
        return compiled.plan().fragments().get(fragment).scope() instanceof PartitionScope.Replicas;
    }

    /** Writes the result block; returns the rows that it has, or the changed rows of a write that yields none. */
    public long finish(ResultBlockWriter rows) {
        try {
            return write(rows);
        } finally {
            release();
        }
    }

    private long write(ResultBlockWriter rows) {
        if (!compiled.yieldsRows()) {
            return changedRows;
        }
        QueryCode merge = code;
        if (merge != null) {
            return runMerge(merge, rows);
        }
        ResultBlockWriter all = concatenated;
        if (all == null) {
            rows.begin(compiled.resultLayout());
            rows.end();
            return 0;
        }
        all.end();
        rows.appendBlock(all.array(), 0, all.size());
        return all.rowCount();
    }

    private long runMerge(QueryCode merge, ResultBlockWriter rows) {
        Frame frame = merge.frame();
        frame.begin(parameters, context.transactionMicros(), context.functionTime(), context.partition());
        try {
            return merge.run(frame, rows, true);
        } finally {
            received.clear();
            memory.clear();
        }
    }
}
