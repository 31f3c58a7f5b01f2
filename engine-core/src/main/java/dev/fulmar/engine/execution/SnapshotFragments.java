package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.operator.OperatorContext;
import dev.fulmar.engine.execution.operator.ReceivedRows;
import dev.fulmar.engine.execution.operator.RelationCompiler;
import dev.fulmar.engine.execution.operator.RowBudget;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.version.Snapshot;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs fragments of a query one after another in slices, and puts together what they yield if that is asked for. */
final class SnapshotFragments implements SnapshotQuery {
    private static final int FIRST_BLOCK_BYTES = 4096;
    private static final int KEPT_BYTES = 1 << 20;

    /** One fragment and the code that runs it. */
    private record Step(int fragment, QueryCode code) {}

    private final ExecutionContext context;
    private final Clock clock;
    private final Snapshot snapshot = new Snapshot(0);
    private final RowBudget budget = new RowBudget(() -> {});
    private final ScratchMemory temporary;
    private final ScratchMemory retained;
    private final List<Step> steps = new ArrayList<>();
    private final @Nullable StatementMerge merge;
    private final @Nullable ResultBlockWriter yielded;

    private @Nullable Run current;
    private long rowCount;

    /** A run that is not complete. */
    private static final class Run {
        final VersionReader reader;
        final Bindings bindings;
        final ResultBlockWriter rows;
        final int start;
        long transactionMicros;
        boolean begun;
        int step;
        boolean inStep;

        Run(VersionReader reader, Bindings bindings, ResultBlockWriter rows) {
            this.reader = reader;
            this.bindings = bindings;
            this.rows = rows;
            start = rows.size();
        }
    }

    private SnapshotFragments(CompiledStatement compiled, ExecutionContext context, Clock clock, boolean merges) {
        this.context = context;
        this.clock = clock;
        temporary = new ScratchMemory(context.intermediateLimitBytes());
        retained = new ScratchMemory(context.intermediateLimitBytes());
        merge = merges ? compiled.newMerge(context) : null;
        int limit = (int) Math.min(Integer.MAX_VALUE, context.intermediateLimitBytes());
        yielded = merges ? new ResultBlockWriter(Math.min(FIRST_BLOCK_BYTES, limit), limit) : null;
    }

    static SnapshotQuery one(CompiledStatement compiled, ExecutionContext context, Clock clock, int number) {
        SnapshotFragments query = new SnapshotFragments(compiled, context, clock, false);
        query.add(compiled, number, relation(compiled, number), compiled.fragmentLayout(number));
        return query;
    }

    static SnapshotQuery whole(CompiledStatement compiled, ExecutionContext context, Clock clock) {
        Relation alone = compiled.plan().onOnePartition().orElse(null);
        boolean merges = alone == null
                && (compiled.fragmentCount() > 1 || compiled.plan().merge().isPresent());
        SnapshotFragments query = new SnapshotFragments(compiled, context, clock, merges);
        if (alone != null) {
            query.add(compiled, 0, alone, compiled.resultLayout());
            return query;
        }
        for (int number = 0; number < compiled.fragmentCount(); number++) {
            query.add(compiled, number, relation(compiled, number), compiled.fragmentLayout(number));
        }
        return query;
    }

    private static Relation relation(CompiledStatement compiled, int number) {
        if (compiled.plan().fragments().get(number).operation() instanceof Operation.Query read) {
            return read.relation();
        }
        throw Invariants.breach("only queries read snapshots");
    }

    private void add(CompiledStatement compiled, int number, Relation relation, ResultLayout layout) {
        OperatorContext operators = new OperatorContext(
                compiled.catalog(), context.requiredStorage(), retained, budget, snapshot, context.place());
        RelationCompiler relations =
                new RelationCompiler(operators, new ReceivedRows(new ScratchMemory(context.intermediateLimitBytes())));
        steps.add(new Step(number, new QueryCode(relations, relation, layout, temporary)));
    }

    @Override
    public void start(VersionReader reader, Bindings bindings, ResultBlockWriter rows) {
        Invariants.check(reader.hasChosen(), "a reader chooses its timestamp before it reads");
        Invariants.check(current == null, "a query on a snapshot runs for one reader at a time");
        snapshot.setTimestamp(reader.timestamp());
        current = new Run(reader, bindings, rows);
        rowCount = 0;
        if (merge != null) {
            merge.begin(bindings);
        }
    }

    @Override
    public boolean run(long budgetNanos, int mostRows) {
        Run run = current;
        if (run == null) {
            throw Invariants.breach("a query is started before it runs");
        }
        boolean goesOn = false;
        try {
            run.reader.checkAlive();
            if (!run.begun) {
                run.begun = true;
                run.transactionMicros = context.transactionMicros();
            }
            budget.beginSlice(clock, budgetNanos, mostRows);
            while (run.step < steps.size() && runStep(run, steps.get(run.step))) {
                run.step++;
            }
            if (run.step < steps.size()) {
                goesOn = true;
                return false;
            }
            rowCount = conclude(run);
            current = null;
            return true;
        } finally {
            if (!goesOn && current != null) {
                cancel();
            }
        }
    }

    /** Whether the step is complete. */
    private boolean runStep(Run run, Step step) {
        Frame frame = step.code().frame();
        boolean first = !run.inStep;
        if (first) {
            temporary.clear();
            retained.clear();
            frame.begin(run.bindings.slots(), run.transactionMicros, context.functionTime(), context.partition());
            ResultBlockWriter target = run.rows;
            if (yielded != null) {
                yielded.clear();
                target = yielded;
            }
            step.code().begin(target);
            run.inStep = true;
        }
        step.code().runSlice(frame, first, budget);
        if (budget.isPaused()) {
            return false;
        }
        run.inStep = false;
        if (merge != null && yielded != null) {
            merge.addRows(step.fragment(), yielded.array(), 0, yielded.size());
        }
        return true;
    }

    private long conclude(Run run) {
        long count = merge == null ? run.rows.rowCount() : merge.finish(run.rows);
        release();
        return count;
    }

    private void release() {
        temporary.clear();
        retained.clear();
        if (yielded != null) {
            yielded.shrink(KEPT_BYTES);
        }
        if (merge != null) {
            merge.release();
        }
    }

    @Override
    public long rowCount() {
        return rowCount;
    }

    @Override
    public void cancel() {
        Run run = current;
        if (run != null) {
            current = null;
            run.rows.truncate(run.start);
            release();
        }
    }
}
