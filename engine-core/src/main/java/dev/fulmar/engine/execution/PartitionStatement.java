package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.operator.OperatorContext;
import dev.fulmar.engine.execution.operator.ReceivedRows;
import dev.fulmar.engine.execution.operator.RelationCompiler;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.PartitionScope;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan.Fragment;
import dev.fulmar.engine.spi.AbsentData;
import dev.fulmar.engine.spi.DataAccess;
import dev.fulmar.engine.spi.MovedData;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultLayout;
import org.jspecify.annotations.Nullable;

/**
 * A statement on one partition: the partition's tables, indexes and working memory are bound into it. Belongs to the
 * partition's thread, and is good until a table or index that it uses is created or dropped.
 */
public final class PartitionStatement {
    private static final int LOCAL_BYTES = 4096;
    private static final int KEPT_BYTES = 1 << 20;

    private final CompiledStatement compiled;
    private final ExecutionContext context;
    private final StatementRouter router;
    private final FragmentCode[] fragments;
    private final @Nullable FragmentCode onlyFragment;
    private final @Nullable LocalSteps steps;
    private @Nullable LocalMerge localMerge;

    /** Puts together here what the fragments yielded here. */
    private record LocalMerge(StatementMerge merge, ResultBlockWriter rows) {}

    PartitionStatement(CompiledStatement compiled, ExecutionContext context) {
        this.compiled = compiled;
        this.context = context;
        router = compiled.newRouter();
        CompiledStatement.Steps inSteps = compiled.steps();
        steps = inSteps == null ? null : new LocalSteps(inSteps, context);
        fragments = new FragmentCode[steps == null ? compiled.fragmentCount() : 0];
        for (int i = 0; i < fragments.length; i++) {
            fragments[i] = code(i);
        }
        boolean single = fragments.length == 1 && compiled.plan().merge().isEmpty();
        onlyFragment = compiled.plan()
                .onOnePartition()
                .map(relation -> queryCode(relations(operators()), relation, compiled.resultLayout()))
                .orElse(single ? fragments[0] : null);
    }

    private OperatorContext operators() {
        return new OperatorContext(
                compiled.catalog(),
                context.requiredStorage(),
                context.retained(),
                context.budget(),
                null,
                context.place());
    }

    private RelationCompiler relations(OperatorContext operators) {
        return new RelationCompiler(operators, new ReceivedRows(new ScratchMemory(context.intermediateLimitBytes())));
    }

    private FragmentCode queryCode(RelationCompiler relations, Relation relation, ResultLayout layout) {
        return new QueryCode(relations, relation, layout, context.temporary());
    }

    private FragmentCode code(int number) {
        Fragment fragment = compiled.plan().fragments().get(number);
        OperatorContext operators = operators();
        RelationCompiler relations = relations(operators);
        return switch (fragment.operation()) {
            case Operation.Query query -> queryCode(relations, query.relation(), compiled.fragmentLayout(number));
            case Operation.Insert insert -> {
                boolean byRow = fragment.scope() instanceof PartitionScope.ByRow;
                InsertCode code =
                        new InsertCode(relations, operators, context, insert, byRow, compiled.fragmentLayout(number));
                yield yielding(code, code.returned());
            }
            case Operation.Update update -> {
                UpdateCode code =
                        new UpdateCode(relations, operators, context, update, compiled.fragmentLayout(number));
                yield yielding(code, code.returned());
            }
            case Operation.Delete delete -> {
                DeleteCode code =
                        new DeleteCode(relations, operators, context, delete, compiled.fragmentLayout(number));
                yield yielding(code, code.returned());
            }
        };
    }

    private static FragmentCode yielding(FragmentCode write, @Nullable ReturnedRows returned) {
        return returned == null ? write : returned.around(write);
    }

    public CompiledStatement compiled() {
        return compiled;
    }

    /** The code that runs if one fragment does everything on this partition, else null. */
    @Nullable FragmentCode onlyFragment() {
        return onlyFragment;
    }

    /**
     * Runs the whole statement here. What yields rows writes one result block; what does not returns the number of
     * changed rows.
     *
     * @return rows yielded or changed
     * @throws PartitionMismatch if it needs another partition; it has changed nothing then
     * @throws AbsentData if the partition's guard says that what it needs is not here
     * @throws MovedData if the guard says that what it needs has left the partition
     */
    public long run(Bindings bindings, ResultBlockWriter rows) {
        return run(bindings, rows, 0);
    }

    /**
     * As the other.
     *
     * @param expectedRow what {@link ReadAhead} found for the statement since the transaction undid or ended anything,
     *     or 0
     */
    public long run(Bindings bindings, ResultBlockWriter rows, long expectedRow) {
        for (int i = 0; i < fragments.length; i++) {
            if (!router.isOwned(i, context.partitionPlan(), context.partition(), bindings)) {
                throw new PartitionMismatch("the statement needs other partitions: "
                        + compiled.plan().sql());
            }
        }
        DataAccess access = context.dataAccess();
        if (access != null) {
            for (int i = 0; i < fragments.length; i++) {
                router.require(access, i, context.partitionPlan(), context.partition(), bindings);
            }
        }
        FragmentCode only = onlyFragment;
        if (only == null) {
            return runAndMerge(bindings, rows);
        }
        return run(only, bindings, rows, true, expectedRow);
    }

    private long runAndMerge(Bindings bindings, ResultBlockWriter rows) {
        LocalSteps inSteps = steps;
        if (inSteps != null) {
            return inSteps.run(bindings, rows, compiled.resultLayout());
        }
        LocalMerge local = localMerge();
        local.merge().begin(bindings);
        try {
            if (compiled.isQuery()) {
                runHere(local, bindings);
            } else {
                Undoing.run(context.requiredStorage().undoLog(), () -> runHere(local, bindings));
            }
            return local.merge().finish(rows);
        } finally {
            local.rows().shrink(KEPT_BYTES);
            local.merge().release();
        }
    }

    private LocalMerge localMerge() {
        LocalMerge local = localMerge;
        if (local == null) {
            ResultBlockWriter yielded = new ResultBlockWriter(
                    LOCAL_BYTES, (int) Math.min(Integer.MAX_VALUE, context.intermediateLimitBytes()));
            local = new LocalMerge(compiled.newMerge(context), yielded);
            localMerge = local;
        }
        return local;
    }

    private long runHere(LocalMerge local, Bindings bindings) {
        for (int i = 0; i < fragments.length; i++) {
            local.rows().clear();
            long count = run(fragments[i], bindings, local.rows(), true, 0);
            if (compiled.yieldsRows()) {
                local.merge().addRows(i, local.rows().array(), 0, local.rows().size());
            } else {
                local.merge().addCount(i, count);
            }
        }
        return fragments.length;
    }

    /**
     * Runs one fragment as part of a statement that runs on several partitions; rows of other partitions are left to
     * those.
     */
    public long runFragment(int fragment, Bindings bindings, ResultBlockWriter rows) {
        DataAccess access = context.dataAccess();
        if (access != null) {
            router.require(access, fragment, context.partitionPlan(), context.partition(), bindings);
        }
        return run(fragments[fragment], bindings, rows, false, 0);
    }

    private long run(FragmentCode code, Bindings bindings, ResultBlockWriter rows, boolean alone, long expectedRow) {
        Frame frame = code.frame();
        frame.begin(bindings.slots(), context.transactionMicros(), context.functionTime(), context.partition());
        frame.expectedRow = expectedRow;
        frame.counters = context.counters();
        context.temporary().clear();
        context.retained().clear();
        try {
            return code.run(frame, rows, alone);
        } finally {
            context.temporary().shrink();
            context.retained().shrink();
        }
    }
}
