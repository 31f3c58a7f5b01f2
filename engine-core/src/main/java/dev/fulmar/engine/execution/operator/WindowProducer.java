package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.Nulls;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.Exclusion;
import dev.fulmar.engine.plan.Relation.WindowFrame;
import dev.fulmar.foundation.check.Invariants;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes all rows, which come partition by partition and in order, and yields each with what its windows hold. The value
 * of every call is a state of an {@link Accumulator}; a frame that grows by the next rows goes on with the state of the
 * row before, any other, and one that excludes rows, is computed anew.
 */
final class WindowProducer implements Producer {
    /** The places in the frame of the row and of its states. */
    record Sources(int row, int state) {}

    /** A function that is computed for each row, in a state of its own. */
    sealed interface Call {
        Evaluator result(Sources sources, int offset);
    }

    /** A place in the partition. */
    record Rank(Relation.WindowRank rank) implements Call {
        @Override
        public Evaluator result(Sources sources, int offset) {
            return WindowRanks.result(rank, sources.state(), offset);
        }
    }

    /** An aggregate of a frame. */
    record Aggregate(
            Accumulator accumulator,
            @Nullable LongEvaluator filter,
            WindowFrame frame,
            @Nullable RangeLimits limits) implements Call {
        @Override
        public Evaluator result(Sources sources, int offset) {
            return accumulator.result(sources.state(), offset);
        }
    }

    /** A value of another row, whose address is the state; 0 if there is none. */
    record Value(
            Relation.WindowValue choice,
            Evaluator value,
            Evaluator otherwise,
            @Nullable RangeLimits limits) implements Call {
        @Override
        public Evaluator result(Sources sources, int offset) {
            return OtherRow.value(value, otherwise, sources.row(), sources.state(), offset);
        }
    }

    private final ScratchMemory memory;
    private final RowBudget budget;
    private final KeyEncoder partitionKey;
    private final KeyEncoder orderKey;
    private final List<Call> calls;
    private final Sources sources;
    private final Consumer next;
    private @Nullable Producer input;
    private final AddressList rows;
    private final AddressList states;
    /** For each row whether a partition or a group of peers begins there. */
    private byte[] beginnings = new byte[0];

    private boolean collecting;
    private int position;
    private long mark;
    /** The present row was passed on, and may not be done with. */
    private boolean isPassed;

    private static final byte OF_PEERS = 1;
    private static final byte OF_PARTITION = 2;

    WindowProducer(
            OperatorContext context,
            KeyEncoder partitionKey,
            KeyEncoder orderKey,
            List<Call> calls,
            Sources sources,
            Consumer next) {
        memory = context.retained();
        rows = new AddressList(memory);
        states = new AddressList(memory);
        budget = context.budget();
        this.partitionKey = partitionKey;
        this.orderKey = orderKey;
        this.calls = List.copyOf(calls);
        this.sources = sources;
        this.next = next;
    }

    static int stateOffset(int call) {
        return call * Accumulator.STATE_BYTES;
    }

    void setInput(Producer newInput) {
        input = newInput;
    }

    boolean collect(long row) {
        rows.add(row);
        return true;
    }

    @Override
    public boolean run(Frame frame) {
        Producer source = input;
        if (source == null) {
            throw Invariants.breach("a window has an input");
        }
        rows.clear();
        states.clear();
        collecting = true;
        source.run(frame);
        return compute(frame);
    }

    @Override
    public boolean resume(Frame frame) {
        if (collecting) {
            if (input != null) {
                input.resume(frame);
            }
            return compute(frame);
        }
        if (isPassed) {
            if (!next.resume(frame)) {
                return false;
            }
            isPassed = false;
            frame.temporary.reset(mark);
        }
        return emit(frame);
    }

    private boolean compute(Frame frame) {
        if (budget.isPaused()) {
            return false;
        }
        collecting = false;
        mark = frame.temporary.position();
        findBeginnings(frame);
        int bytes = Math.max(Long.BYTES, stateOffset(calls.size()));
        for (int i = 0; i < rows.size(); i++) {
            long state = memory.allocate(bytes);
            OffHeap.fill(state, bytes, (byte) 0);
            states.add(state);
        }
        int from = 0;
        while (from < rows.size()) {
            int end = next(from, OF_PARTITION);
            for (int call = 0; call < calls.size(); call++) {
                compute(frame, calls.get(call), stateOffset(call), from, end);
            }
            from = end;
        }
        position = 0;
        isPassed = false;
        return emit(frame);
    }

    private boolean emit(Frame frame) {
        while (position < rows.size()) {
            if (budget.endsSlice()) {
                return false;
            }
            frame.rows[sources.row()] = rows.get(position);
            frame.rows[sources.state()] = states.get(position++);
            isPassed = true;
            if (!next.accept(frame)) {
                return false;
            }
            isPassed = false;
            frame.temporary.reset(mark);
        }
        return true;
    }

    private void findBeginnings(Frame frame) {
        if (beginnings.length < rows.size()) {
            beginnings = new byte[rows.size()];
        }
        long lastPartition = 0;
        int lastPartitionLength = -1;
        long lastOrder = 0;
        int lastOrderLength = -1;
        for (int i = 0; i < rows.size(); i++) {
            budget.spendRow();
            frame.rows[sources.row()] = rows.get(i);
            partitionKey.encode(frame);
            orderKey.encode(frame);
            boolean samePartition = isSame(partitionKey, lastPartition, lastPartitionLength);
            boolean samePeers = samePartition && isSame(orderKey, lastOrder, lastOrderLength);
            beginnings[i] = samePeers ? 0 : samePartition ? OF_PEERS : OF_PARTITION;
            if (!samePartition) {
                lastPartition = copy(partitionKey);
                lastPartitionLength = partitionKey.length();
            }
            if (!samePeers) {
                lastOrder = copy(orderKey);
                lastOrderLength = orderKey.length();
            }
            frame.temporary.reset(mark);
        }
    }

    private static boolean isSame(KeyEncoder key, long last, int lastLength) {
        return lastLength >= 0 && OffHeap.compare(key.address(), key.length(), last, lastLength) == 0;
    }

    private long copy(KeyEncoder key) {
        long copy = memory.allocate(Math.max(1, key.length()));
        OffHeap.copy(key.address(), copy, key.length());
        return copy;
    }

    /** The first row after the given one at which such a group begins. */
    private int next(int row, byte beginning) {
        int found = row + 1;
        while (found < rows.size() && beginnings[found] < beginning) {
            found++;
        }
        return found;
    }

    private void compute(Frame frame, Call call, int offset, int from, int end) {
        switch (call) {
            case Rank(Relation.WindowRank rank) -> WindowRanks.compute(rank, states, beginnings, offset, from, end);
            case Aggregate aggregate -> aggregate(frame, aggregate, offset, from, end);
            case Value value -> choose(frame, value, offset, from, end);
        }
    }

    /** Searches row by row: over all rows of a partition, each end passes each row once. */
    private WindowExtent.Search search(Frame frame, @Nullable RangeLimits limits, int end) {
        return new WindowExtent.Search() {
            @Override
            public int start(int from, int row) {
                return found(limits == null ? null : limits.start(), from, row, 0);
            }

            @Override
            public int end(int from, int row) {
                return found(limits == null ? null : limits.end(), from, row, 1);
            }

            private int found(@Nullable KeyEncoder limit, int from, int row, int least) {
                if (limits == null || limit == null) {
                    throw Invariants.breach("a frame whose end is a value has a limit");
                }
                frame.rows[sources.row()] = rows.get(row);
                limit.encode(frame);
                int found = from;
                while (found < end && isBefore(limits, limit, found, least)) {
                    found++;
                }
                frame.temporary.reset(mark);
                return found;
            }

            private boolean isBefore(RangeLimits known, KeyEncoder limit, int row, int least) {
                budget.spendRow();
                frame.rows[sources.row()] = rows.get(row);
                return known.compareKey(frame, limit) < least;
            }
        };
    }

    private void choose(Frame frame, Value call, int offset, int from, int end) {
        Relation.WindowValue choice = call.choice();
        WindowExtent extent = new WindowExtent(
                choice.frame(), search(frame, call.limits(), end), row -> next(row, OF_PEERS), from, end);
        KnownRows known = choice.ignoresNulls() ? known(frame, call.value(), from, end) : null;
        for (int i = from; i < end; i++) {
            extent.moveTo(i);
            long chosen = known == null ? chosen(choice, extent, i) : chosen(choice, extent, i, known);
            long row = chosen >= from && chosen < end ? rows.get((int) chosen) : 0;
            OffHeap.putLong(states.get(i) + offset, row);
        }
    }

    private static long chosen(Relation.WindowValue choice, WindowExtent extent, int row) {
        return switch (choice.choice()) {
            case OFFSET -> row + choice.distance();
            case FIRST -> extent.size() == 0 ? -1 : extent.row(0);
            case LAST -> extent.size() == 0 ? -1 : extent.row(extent.size() - 1);
            case NTH -> choice.distance() > extent.size() ? -1 : extent.row((int) choice.distance() - 1);
        };
    }

    private static long chosen(Relation.WindowValue choice, WindowExtent extent, int row, KnownRows known) {
        return switch (choice.choice()) {
            case OFFSET -> known.at(row, choice.distance());
            case FIRST -> known.within(extent, 1);
            case LAST -> known.within(extent, -1);
            case NTH -> known.within(extent, choice.distance());
        };
    }

    private KnownRows known(Frame frame, Evaluator value, int from, int end) {
        KnownRows known = new KnownRows();
        for (int i = from; i < end; i++) {
            budget.spendRow();
            frame.rows[sources.row()] = rows.get(i);
            Nulls.evaluate(value, frame);
            if (!frame.isNull) {
                known.add(i);
            }
            frame.temporary.reset(mark);
        }
        return known;
    }

    private void aggregate(Frame frame, Aggregate call, int offset, int from, int end) {
        long running = memory.allocate(Accumulator.STATE_BYTES);
        OffHeap.fill(running, Accumulator.STATE_BYTES, (byte) 0);
        WindowExtent extent = new WindowExtent(
                call.frame(), search(frame, call.limits(), end), row -> next(row, OF_PEERS), from, end);
        boolean isExcluding = call.frame().exclusion() != Exclusion.NONE;
        int knownFrom = from;
        int knownEnd = from;
        for (int i = from; i < end; i++) {
            extent.moveTo(i);
            int last = extent.end();
            if (extent.first() != knownFrom || last < knownEnd || isExcluding) {
                OffHeap.fill(running, Accumulator.STATE_BYTES, (byte) 0);
                knownFrom = extent.first();
                knownEnd = knownFrom;
            }
            while (knownEnd < last) {
                if (!extent.excludes(knownEnd)) {
                    add(frame, call, running, knownEnd);
                }
                knownEnd++;
            }
            OffHeap.copy(running, states.get(i) + offset, Accumulator.STATE_BYTES);
            call.accumulator().detach(running);
        }
    }

    private void add(Frame frame, Aggregate call, long running, int row) {
        budget.spendRow();
        frame.rows[sources.row()] = rows.get(row);
        LongEvaluator filter = call.filter();
        if (filter == null || filter.isTrue(frame)) {
            call.accumulator().add(frame, running);
        }
        frame.temporary.reset(mark);
    }
}
