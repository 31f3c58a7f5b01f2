package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.plan.Relation.FrameEnd;
import dev.fulmar.engine.plan.Relation.Ranking;
import dev.fulmar.engine.plan.Relation.WindowFrame;
import dev.fulmar.foundation.check.Invariants;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes all rows, which come partition by partition and in order, and yields each with what its windows hold. The value of every call is a state of
 * an {@link Accumulator}; a frame that grows by the next rows goes on with the state of the row before, any other is computed anew.
 */
final class WindowProducer implements Producer {
    /** Where the frame has the row and its states. */
    record Sources(int row, int state) {}

    /** A rank, or else an accumulator and its frame. */
    record Call(
            @Nullable Ranking ranking,
            @Nullable Accumulator accumulator,
            @Nullable LongEvaluator filter,
            @Nullable WindowFrame frame) {
        Evaluator result(int source, int offset) {
            Accumulator aggregate = accumulator;
            return aggregate != null
                    ? aggregate.result(source, offset)
                    : (LongEvaluator) frame -> {
                        frame.isNull = false;
                        return OffHeap.getLong(frame.rows[source] + offset);
                    };
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
    private final AddressList rows = new AddressList();
    private final AddressList states = new AddressList();
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
        Ranking ranking = call.ranking();
        Accumulator accumulator = call.accumulator();
        WindowFrame extent = call.frame();
        if (ranking != null) {
            rank(ranking, offset, from, end);
        } else if (accumulator != null && extent != null) {
            aggregate(frame, call, accumulator, extent, offset, from, end);
        }
    }

    private void rank(Ranking ranking, int offset, int from, int end) {
        long rank = 0;
        long dense = 0;
        for (int i = from; i < end; i++) {
            if (beginnings[i] != 0) {
                rank = i - from + 1L;
                dense++;
            }
            long value = switch (ranking) {
                case ROW_NUMBER -> i - from + 1L;
                case RANK -> rank;
                case DENSE_RANK -> dense;
            };
            OffHeap.putLong(states.get(i) + offset, value);
        }
    }

    private void aggregate(
            Frame frame, Call call, Accumulator accumulator, WindowFrame extent, int offset, int from, int end) {
        long running = memory.allocate(Accumulator.STATE_BYTES);
        OffHeap.fill(running, Accumulator.STATE_BYTES, (byte) 0);
        int peersFrom = from;
        int peersEnd = from;
        int knownFrom = from;
        int knownEnd = from;
        for (int i = from; i < end; i++) {
            if (i == peersEnd) {
                peersFrom = i;
                peersEnd = next(i, OF_PEERS);
            }
            int first = extent.peers() && !extent.start().unbounded() ? peersFrom : start(extent.start(), i, from, end);
            int last = extent.peers() && !extent.end().unbounded() ? peersEnd : end(extent.end(), i, from, end);
            if (first != knownFrom || last < knownEnd) {
                OffHeap.fill(running, Accumulator.STATE_BYTES, (byte) 0);
                knownFrom = first;
                knownEnd = first;
            }
            while (knownEnd < last) {
                add(frame, call, accumulator, running, knownEnd++);
            }
            OffHeap.copy(running, states.get(i) + offset, Accumulator.STATE_BYTES);
            accumulator.detach(running);
        }
    }

    private void add(Frame frame, Call call, Accumulator accumulator, long running, int row) {
        budget.spendRow();
        frame.rows[sources.row()] = rows.get(row);
        LongEvaluator filter = call.filter();
        if (filter == null || filter.isTrue(frame)) {
            accumulator.add(frame, running);
        }
        frame.temporary.reset(mark);
    }

    private static int start(FrameEnd start, int row, int from, int end) {
        return start.unbounded() ? from : Math.clamp(row + start.distance(), from, end);
    }

    /** The row behind the frame. */
    private static int end(FrameEnd last, int row, int from, int end) {
        return last.unbounded() ? end : Math.clamp(row + last.distance() + 1, from, end);
    }
}
