package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.operator.OperatorContext;
import dev.fulmar.engine.execution.operator.ReceivedRows;
import dev.fulmar.engine.execution.operator.RelationCompiler;
import dev.fulmar.engine.execution.operator.RowBudget;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.plan.Pipelining;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.version.Snapshot;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Runs one relation that keeps no rows, and pauses where a part is full. Used for one run. Invariant: every row of the
 * relation is in exactly one part, and between two parts nothing is held but the places of its cursors.
 */
final class SnapshotParts implements SnapshotPartsQuery {
    private final ExecutionContext context;
    private final Clock clock;
    private final Snapshot snapshot = new Snapshot(0);
    private final RowBudget budget = new RowBudget(() -> {});
    private final ScratchMemory temporary;
    private final QueryCode code;

    private @Nullable VersionReader reader;
    private @Nullable Bindings bindings;
    private @Nullable ResultBlockWriter rows;
    private @Nullable PartSize wanted;
    private boolean begun;
    private boolean inBlock;
    private long rowCount;

    SnapshotParts(CompiledStatement compiled, Relation relation, ExecutionContext context, Clock clock) {
        Invariants.check(Pipelining.happensIn(relation), "a result that is handed out in parts keeps no rows");
        this.context = context;
        this.clock = clock;
        temporary = new ScratchMemory(context.intermediateLimitBytes());
        OperatorContext operators = new OperatorContext(
                compiled.catalog(),
                context.requiredStorage(),
                new ScratchMemory(context.intermediateLimitBytes()),
                budget,
                snapshot,
                context.place());
        RelationCompiler relations =
                new RelationCompiler(operators, new ReceivedRows(new ScratchMemory(context.intermediateLimitBytes())));
        code = new QueryCode(relations, relation, compiled.resultLayout(), temporary, sink -> frame -> {
            boolean wantsMore = sink.accept(frame);
            if (isFull()) {
                budget.endSlice();
            }
            return wantsMore;
        });
    }

    @Override
    public void start(VersionReader newReader, Bindings newBindings, ResultBlockWriter newRows) {
        Invariants.check(newReader.hasChosen(), "a reader chooses its timestamp before it reads");
        Invariants.check(reader == null && !begun, "a query in parts runs once");
        snapshot.setTimestamp(newReader.timestamp());
        reader = newReader;
        bindings = newBindings;
        rows = newRows;
    }

    @Override
    public void want(PartSize size) {
        Invariants.check(!inBlock, "a part ends before the next one is wanted");
        wanted = size;
    }

    @Override
    public boolean isFull() {
        ResultBlockWriter target = rows;
        PartSize size = wanted;
        return inBlock && target != null && size != null && size.isReached(target.rowCount(), target.size());
    }

    @Override
    public void endPart() {
        Invariants.check(isFull(), "a part ends when it is full");
        code.end();
        inBlock = false;
    }

    @Override
    public boolean run(long budgetNanos, int mostRows) {
        VersionReader known = reader;
        Bindings parameters = bindings;
        ResultBlockWriter target = rows;
        if (known == null || parameters == null || target == null) {
            throw Invariants.breach("a query is started before it runs");
        }
        boolean goesOn = false;
        try {
            known.checkAlive();
            budget.beginSlice(clock, budgetNanos, mostRows);
            Frame frame = code.frame();
            boolean first = !begun;
            if (first) {
                begun = true;
                frame.begin(
                        parameters.slots(), context.transactionMicros(), context.functionTime(), context.partition());
            }
            if (!inBlock) {
                code.begin(target);
                inBlock = true;
            }
            code.runSlice(frame, first, budget);
            if (budget.isPaused()) {
                goesOn = true;
                return false;
            }
            rowCount = target.rowCount();
            return true;
        } finally {
            if (!goesOn) {
                release();
            }
        }
    }

    /** The run is over: the reader's claim ends elsewhere, and the rows that are written stay. */
    private void release() {
        reader = null;
        bindings = null;
        rows = null;
        inBlock = false;
        temporary.clear();
    }

    /** Rows of the last part. */
    @Override
    public long rowCount() {
        return rowCount;
    }

    @Override
    public void cancel() {
        ResultBlockWriter target = rows;
        if (target != null) {
            target.truncate(0);
            release();
        }
    }
}
