package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.DoubleEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.Nulls;
import dev.fulmar.engine.execution.expression.ParameterSlots;
import dev.fulmar.engine.execution.expression.WideEvaluator;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.userfunction.Folding;
import dev.fulmar.foundation.data.TypeKind;
import java.util.ArrayList;
import java.util.List;

/**
 * An aggregate of users: keeps the arguments of the group's rows, and calls the step for one after the other when they
 * are in order.
 *
 * <p>Invariant: the key of an entry tells all arguments, so the order in which rows come has no influence on the
 * result, whatever the step does with it.
 *
 * <p>A state of a group is the number of entries and the address of the last one. A finished one has 1, or 0 for a
 * result that is null, and the result. An entry has the form of those of {@link ListAccumulator}: the address of the
 * one before, the length of its key, the address of the arguments, and the key.
 */
final class FoldAccumulator implements KeptValues {
    private static final int ARGUMENTS = 0;
    private static final int STATE = 1;
    private static final int TUPLE = 16;

    private final Folding folding;
    private final KeyEncoder key;
    private final TupleLayout layout;
    private final TupleWriter arguments;
    private final TupleWriter initial;
    private final TupleWriter first;
    private final TupleWriter step;
    private final Evaluator last;
    private final ScratchMemory memory;
    private final RowBudget budget;

    /** The frame in which the expressions of the aggregate are evaluated. */
    private final Frame inner;

    /** The present state lies in one of them, and the next one is made in the other. */
    private final ScratchMemory[] states;

    /** Entries of the present group whose step was made. */
    private int done;

    /**
     * The aggregate in a statement.
     *
     * @param values of the arguments, as they are declared
     */
    FoldAccumulator(Folding folding, KeyEncoder key, List<Evaluator> values, OperatorContext context) {
        this.folding = folding;
        this.key = key;
        memory = context.retained();
        budget = context.budget();
        layout = new TupleLayout(folding.arguments());
        arguments = new TupleWriter(layout, values);
        TupleLayout ofState = new TupleLayout(List.of(folding.state()));
        List<Evaluator> columns = new ArrayList<>(ofState.columns(STATE));
        columns.addAll(layout.columns(ARGUMENTS));
        ExpressionCompiler expressions = new ExpressionCompiler(columns);
        initial = new TupleWriter(ofState, List.of(expressions.as(folding.initial(), folding.state())));
        first = new TupleWriter(ofState, List.of(columns.get(1)));
        step = new TupleWriter(ofState, List.of(expressions.compile(folding.step())));
        last = expressions.compile(folding.last());
        inner = new Frame(2, new ScratchMemory(memory.limitBytes()), new ParameterSlots());
        states = new ScratchMemory[] {new ScratchMemory(memory.limitBytes()), new ScratchMemory(memory.limitBytes())};
    }

    @Override
    public void add(Frame frame, long state) {
        long mark = memory.position();
        long tuple = arguments.write(frame, memory);
        if (folding.skipsNulls() && hasNull(tuple)) {
            memory.reset(mark);
            return;
        }
        settleZeros(tuple);
        key.encode(frame);
        long entry = memory.allocate(ListAccumulator.PARTS + (long) key.length());
        OffHeap.putLong(entry, OffHeap.getLong(state + Accumulators.FIRST));
        OffHeap.putInt(entry + ListAccumulator.KEY_LENGTH, key.length());
        OffHeap.putLong(entry + TUPLE, tuple);
        OffHeap.copy(key.address(), entry + ListAccumulator.PARTS, key.length());
        OffHeap.putLong(state + Accumulators.FIRST, entry);
        OffHeap.putLong(state, OffHeap.getLong(state) + 1);
    }

    /** Zeros of both signs have one key, so a step gets one of them. */
    private void settleZeros(long tuple) {
        for (int i = 0; i < layout.columnCount(); i++) {
            long cell = tuple + layout.offset(i);
            if (layout.types().get(i).storage() == TypeKind.Storage.DOUBLE && OffHeap.getDouble(cell) == 0) {
                OffHeap.putDouble(cell, 0);
            }
        }
    }

    private boolean hasNull(long tuple) {
        for (int i = 0; i < layout.columnCount(); i++) {
            if (TupleLayout.isNull(tuple, i)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void gather(long state, AddressList entries) {
        ListAccumulator.gatherFrom(state, entries);
        done = 0;
    }

    @Override
    public boolean finish(long state, AddressList entries, Frame frame) {
        if (done == 0) {
            memory.whenCleared(this::release);
            inner.begin(frame.parameters, frame.transactionMicros, frame.functionTime, 0);
            inner.rows[STATE] = made(initial, 1);
        }
        while (done < entries.size()) {
            if (budget.endsSlice()) {
                return false;
            }
            inner.rows[ARGUMENTS] = OffHeap.getLong(entries.get(done) + TUPLE);
            inner.rows[STATE] = made(done == 0 && folding.beginsWithFirst() ? first : step, done & 1);
            done++;
        }
        store(state);
        return true;
    }

    private long made(TupleWriter value, int place) {
        states[place].reset(0);
        inner.temporary.reset(0);
        return value.write(inner, states[place]);
    }

    private void store(long state) {
        inner.temporary.reset(0);
        long number = Accumulators.evaluate(last, inner);
        OffHeap.putLong(state, inner.isNull ? 0 : 1);
        if (inner.isNull) {
            return;
        }
        long word = state + Accumulators.FIRST;
        switch (last) {
            case LongEvaluator ignored -> OffHeap.putLong(word, number);
            case DoubleEvaluator ignored -> OffHeap.putLong(word, number);
            case WideEvaluator ignored -> {
                OffHeap.putLong(word, inner.wide.high());
                OffHeap.putLong(state + Accumulators.SECOND, inner.wide.low());
            }
            case BytesEvaluator ignored -> {
                int length = inner.bytesLength;
                long bytes = memory.allocate(Math.max(1, length));
                OffHeap.copy(inner.bytesAddress, bytes, length);
                OffHeap.putLong(word, bytes);
                OffHeap.putLong(state + Accumulators.SECOND, length);
            }
        }
    }

    private void release() {
        inner.temporary.clear();
        states[0].clear();
        states[1].clear();
    }

    @Override
    public Evaluator result(int source, int offset) {
        return Nulls.unless(stored(source, offset), frame -> Accumulators.count(frame, source, offset) == 0);
    }

    private Evaluator stored(int source, int offset) {
        int word = offset + Accumulators.FIRST;
        return switch (last) {
            case LongEvaluator ignored ->
                (LongEvaluator) frame -> {
                    frame.isNull = false;
                    return OffHeap.getLong(frame.rows[source] + word);
                };
            case DoubleEvaluator ignored ->
                (DoubleEvaluator) frame -> {
                    frame.isNull = false;
                    return OffHeap.getDouble(frame.rows[source] + word);
                };
            case WideEvaluator ignored ->
                (WideEvaluator) frame -> {
                    frame.isNull = false;
                    long value = frame.rows[source] + word;
                    frame.wide.set(OffHeap.getLong(value), OffHeap.getLong(value + Long.BYTES));
                };
            case BytesEvaluator ignored ->
                (BytesEvaluator) frame -> {
                    frame.isNull = false;
                    long group = frame.rows[source] + offset;
                    frame.bytesAddress = OffHeap.getLong(group + Accumulators.FIRST);
                    frame.bytesLength = (int) OffHeap.getLong(group + Accumulators.SECOND);
                };
        };
    }
}
