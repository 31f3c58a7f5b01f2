package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.check.Invariants;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sorts rows by normalised keys; equal rows stay in the order in which they came. When only the first rows are wanted,
 * the others are dropped on the way. An entry: {@code long tuple, int keyLength, int unused}, then the key.
 */
final class SortProducer implements Producer {
    private static final int LENGTH_OFFSET = 8;
    private static final int KEY_OFFSET = 16;
    private static final int INSERTION_SORT = 12;
    private static final int KEPT_ENTRIES = 1 << 16;
    private static final int MOST_KEPT_IN_SLICES = 500;

    private final ScratchMemory memory;
    private final RowBudget budget;
    private final KeyEncoder key;
    private final TupleWriter writer;
    private final int source;
    private final @Nullable RowLimit limit;
    private final Consumer next;
    private @Nullable Producer input;
    private final AddressList entries;
    private long[] buffer = new long[64];
    private long wanted;
    private boolean collecting;
    private boolean emitting;
    private final SlicedSort slicedSort;
    private int position;
    private long mark;
    /** The present row was passed on, and may not be done with. */
    private boolean isPassed;
    /** The last entry of the wanted ones once there are so many; a row that is not before it is dropped. */
    private long threshold;

    SortProducer(
            OperatorContext context,
            KeyEncoder key,
            TupleLayout layout,
            List<Evaluator> columns,
            int source,
            @Nullable RowLimit limit,
            Consumer next) {
        memory = context.retained();
        entries = new AddressList(memory);
        budget = context.budget();
        this.key = key;
        this.writer = new TupleWriter(layout, columns);
        this.source = source;
        this.limit = limit;
        this.next = next;
        slicedSort = new SlicedSort(budget, SortProducer::isAfter);
    }

    void setInput(Producer newInput) {
        input = newInput;
    }

    @Override
    public boolean run(Frame frame) {
        Producer rows = input;
        if (rows == null) {
            throw Invariants.breach("a sort has an input");
        }
        entries.clear();
        threshold = 0;
        wanted = limit == null ? Long.MAX_VALUE : limit.wanted(frame);
        collecting = true;
        emitting = false;
        if (wanted > 0) {
            rows.run(frame);
        }
        return beginEmitting(frame);
    }

    @Override
    public boolean resume(Frame frame) {
        if (collecting && input != null) {
            input.resume(frame);
        }
        if (!emitting) {
            return beginEmitting(frame);
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

    private boolean beginEmitting(Frame frame) {
        if (budget.isPaused()) {
            return false;
        }
        if (!budget.isSliced()) {
            sort();
        } else if (!sortInSlices()) {
            return false;
        }
        emitting = true;
        mark = frame.temporary.position();
        position = 0;
        isPassed = false;
        return emit(frame);
    }

    private boolean sortInSlices() {
        if (collecting) {
            collecting = false;
            slicedSort.begin(entries.array(), entries.size());
            if (entries.size() > KEPT_ENTRIES) {
                memory.whenCleared(slicedSort::release);
            }
        }
        return slicedSort.goOn();
    }

    private boolean emit(Frame frame) {
        while (position < entries.size()) {
            if (budget.endsSlice()) {
                return false;
            }
            frame.rows[source] = OffHeap.getLong(entries.get(position++));
            isPassed = true;
            if (!next.accept(frame)) {
                return false;
            }
            isPassed = false;
            frame.temporary.reset(mark);
        }
        return true;
    }

    boolean collect(Frame frame) {
        key.encode(frame);
        if (threshold != 0 && compare(key.address(), key.length(), threshold) >= 0) {
            return true;
        }
        int length = key.length();
        long entry = memory.allocate(KEY_OFFSET + (long) length);
        OffHeap.putInt(entry + LENGTH_OFFSET, length);
        OffHeap.copy(key.address(), entry + KEY_OFFSET, length);
        OffHeap.putLong(entry, writer.write(frame, memory));
        entries.add(entry);
        if (wanted < mostKept() && entries.size() >= 2 * wanted + INSERTION_SORT) {
            sort();
            entries.truncate((int) wanted);
            threshold = entries.get((int) wanted - 1);
        }
        return true;
    }

    /**
     * The most first rows that are kept apart from the others on the way. With more of them, one step of that would
     * outlast a slice.
     */
    private int mostKept() {
        return budget.isSliced() ? MOST_KEPT_IN_SLICES : Integer.MAX_VALUE / 4;
    }

    private static int compare(long keyAddress, int keyLength, long entry) {
        return OffHeap.compare(keyAddress, keyLength, entry + KEY_OFFSET, OffHeap.getInt(entry + LENGTH_OFFSET));
    }

    private static boolean isAfter(long entry, long other) {
        return compare(entry + KEY_OFFSET, OffHeap.getInt(entry + LENGTH_OFFSET), other) > 0;
    }

    private void sort() {
        int size = entries.size();
        if (buffer.length < size) {
            buffer = new long[Math.max(size, 2 * buffer.length)];
        }
        sort(entries.array(), 0, size);
        if (Invariants.EXPENSIVE) {
            for (int i = 1; i < size; i++) {
                Invariants.check(!isAfter(entries.get(i - 1), entries.get(i)), "a sort has its rows in order");
            }
        }
        if (buffer.length > 1 << 16) {
            buffer = new long[64];
        }
    }

    /** Merge sort: stable, and its steps do not depend on where entries lie. */
    private void sort(long[] items, int from, int to) {
        if (to - from <= INSERTION_SORT) {
            insertionSort(items, from, to);
            return;
        }
        budget.spendRow();
        int middle = (from + to) >>> 1;
        sort(items, from, middle);
        sort(items, middle, to);
        if (!isAfter(items[middle - 1], items[middle])) {
            return;
        }
        int leftSize = middle - from;
        System.arraycopy(items, from, buffer, 0, leftSize);
        int left = 0;
        int right = middle;
        int target = from;
        while (left < leftSize) {
            items[target++] = right < to && isAfter(buffer[left], items[right]) ? items[right++] : buffer[left++];
        }
    }

    private static void insertionSort(long[] items, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            long item = items[i];
            int position = i;
            while (position > from && isAfter(items[position - 1], item)) {
                items[position] = items[position - 1];
                position--;
            }
            items[position] = item;
        }
    }
}
