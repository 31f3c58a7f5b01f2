package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.check.Invariants;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Groups rows by key and yields the groups in the order in which each was met first. */
final class AggregateProducer implements Producer {
    /**
     * One aggregate with what restricts it.
     *
     * @param distinct of rows whose values have equal keys one counts; null if all do
     */
    record Call(
            Accumulator accumulator,
            @Nullable LongEvaluator filter,
            @Nullable KeyEncoder distinct) {}

    private static final int ORDINAL_BYTES = 8;

    private final ScratchMemory memory;
    private final RowBudget budget;
    private final Call[] calls;
    private final @Nullable KeyEncoder[] distinctKeys;
    private final @Nullable KeyTable[] distinctValues;
    private final @Nullable KeyEncoder groupKey;
    private final @Nullable TupleWriter keyWriter;
    private final @Nullable NumberAggregates numbers;
    private final @Nullable GroupedLists lists;
    private final KeyTable groups;
    private final int keySource;
    private final int stateSource;
    private @Nullable Producer input;
    private final Consumer next;
    private long onlyState;
    private boolean emitting;
    private int position;
    private long mark;
    /** The present group was passed on, and may not be done with. */
    private boolean isPassed;

    AggregateProducer(
            OperatorContext context,
            List<Call> calls,
            List<Evaluator> keys,
            @Nullable TupleLayout keyLayout,
            @Nullable NumberAggregates numbers,
            int keySource,
            int stateSource,
            Consumer next) {
        memory = context.retained();
        budget = context.budget();
        this.calls = calls.toArray(Call[]::new);
        lists = GroupedLists.of(calls, context);
        this.numbers = keyLayout == null ? numbers : null;
        this.keySource = keySource;
        this.stateSource = stateSource;
        this.next = next;
        groups = new KeyTable(memory);
        groupKey = keyLayout == null ? null : KeyEncoder.ofEquality(keys, keyLayout.types());
        keyWriter = keyLayout == null ? null : new TupleWriter(keyLayout, keys);
        distinctKeys = new KeyEncoder[this.calls.length];
        distinctValues = new KeyTable[this.calls.length];
        for (int i = 0; i < this.calls.length; i++) {
            KeyEncoder distinct = this.calls[i].distinct();
            if (distinct != null) {
                distinctKeys[i] = distinct;
                distinctValues[i] = new KeyTable(memory);
            }
        }
    }

    /** Offset of an aggregate's state in a group's states. */
    static int stateOffset(int call) {
        return ORDINAL_BYTES + call * Accumulator.STATE_BYTES;
    }

    /** The input pushes into {@link #collector}, so it is made later. */
    void setInput(Producer newInput) {
        input = newInput;
    }

    @Override
    public boolean run(Frame frame) {
        Producer source = input;
        if (source == null) {
            throw Invariants.breach("an aggregate has an input");
        }
        groups.clear();
        for (KeyTable values : distinctValues) {
            if (values != null) {
                values.clear();
            }
        }
        if (groupKey == null) {
            onlyState = newState(0);
        }
        if (numbers != null) {
            numbers.begin();
        }
        if (lists != null) {
            lists.begin();
        }
        emitting = false;
        source.run(frame);
        return beginEmitting(frame);
    }

    @Override
    public boolean resume(Frame frame) {
        if (!emitting) {
            if (input != null) {
                input.resume(frame);
            }
            return beginEmitting(frame);
        }
        if (isPassed) {
            if (!next.resume(frame)) {
                return false;
            }
            isPassed = false;
            frame.temporary.reset(mark);
        }
        return groupKey == null ? position > 0 || emitOnly(frame) : emitGroups(frame);
    }

    private boolean beginEmitting(Frame frame) {
        if (budget.isPaused()) {
            return false;
        }
        emitting = true;
        mark = frame.temporary.position();
        position = 0;
        isPassed = false;
        if (groupKey != null) {
            return emitGroups(frame);
        }
        if (numbers != null) {
            numbers.store(onlyState);
        }
        return emitOnly(frame);
    }

    private boolean emitOnly(Frame frame) {
        if (lists != null && !lists.finish(onlyState, frame)) {
            return false;
        }
        position = 1;
        frame.rows[stateSource] = onlyState;
        isPassed = true;
        return next.accept(frame);
    }

    private boolean emitGroups(Frame frame) {
        while (position < groups.count()) {
            if (budget.endsSlice()) {
                return false;
            }
            long state = KeyTable.payload(groups.entry(position));
            if (lists != null && !lists.finish(state, frame)) {
                return false;
            }
            position++;
            if (Invariants.EXPENSIVE) {
                Invariants.check(
                        OffHeap.getLong(state) == position, "groups have numbers in the order of their first rows");
            }
            frame.rows[stateSource] = state;
            frame.rows[keySource] = OffHeap.getLong(state + stateOffset(calls.length));
            isPassed = true;
            if (!next.accept(frame)) {
                return false;
            }
            isPassed = false;
            frame.temporary.reset(mark);
        }
        return true;
    }

    private long newState(long ordinal) {
        int bytes = stateOffset(calls.length) + Long.BYTES;
        long state = memory.allocate(bytes);
        OffHeap.fill(state, bytes, (byte) 0);
        OffHeap.putLong(state, ordinal);
        return state;
    }

    /** The consumer of the input's rows. */
    Consumer collector() {
        NumberAggregates all = numbers;
        if (all == null) {
            return this::collect;
        }
        return frame -> {
            all.add(frame);
            return true;
        };
    }

    private boolean collect(Frame frame) {
        long state = groupKey == null || keyWriter == null ? onlyState : group(frame, groupKey, keyWriter);
        for (int i = 0; i < calls.length; i++) {
            Call call = calls[i];
            LongEvaluator filter = call.filter();
            if ((filter == null || filter.isTrue(frame)) && isNew(i, state, frame)) {
                call.accumulator().add(frame, state + stateOffset(i));
            }
        }
        return true;
    }

    private long group(Frame frame, KeyEncoder key, TupleWriter writer) {
        key.encode(frame);
        long entry = groups.findOrInsert(key.address(), key.length());
        if (groups.inserted()) {
            long state = newState(groups.count());
            KeyTable.setPayload(entry, state);
            OffHeap.putLong(state + stateOffset(calls.length), writer.write(frame, memory));
        }
        return KeyTable.payload(entry);
    }

    /** Whether the value of a DISTINCT aggregate was not met in the group before. */
    private boolean isNew(int call, long state, Frame frame) {
        KeyEncoder key = distinctKeys[call];
        KeyTable values = distinctValues[call];
        if (key == null || values == null) {
            return true;
        }
        key.begin();
        key.appendLong(OffHeap.getLong(state));
        key.append(frame);
        values.findOrInsert(key.address(), key.length());
        return values.inserted();
    }
}
