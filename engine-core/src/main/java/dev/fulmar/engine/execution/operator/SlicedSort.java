package dev.fulmar.engine.execution.operator;

import dev.fulmar.foundation.check.Invariants;

/** A stable sort that can pause before every step: runs of a few items are put in order, and then merged two by two. */
final class SlicedSort {
    /** The order of two entries by their addresses. */
    @FunctionalInterface
    interface Order {
        boolean isAfter(long entry, long other);
    }

    private static final int RUN = 12;

    private final RowBudget budget;
    private final Order order;
    private long[] items = {};
    private long[] source = {};
    private long[] target = {};
    private int size;
    /** Items before this place are in runs that are in order. */
    private int inRuns;
    /** Length of the runs that are being merged. */
    private long width;
    /** Place of the next merged item, and of the items of the two runs to be merged next. */
    private int merged;

    /** Whether the merged items are in the other array than they came in. */
    private boolean isElsewhere;

    private int left;
    private int right;

    SlicedSort(RowBudget budget, Order order) {
        this.budget = budget;
        this.order = order;
    }

    /** Forgets the items. */
    void release() {
        begin(new long[0], 0);
    }

    /** The first so many items are to be sorted, in place. */
    void begin(long[] newItems, int newSize) {
        items = newItems;
        source = newItems;
        size = newSize;
        target = size > RUN ? new long[size] : newItems;
        inRuns = 0;
        width = RUN;
        merged = 0;
        isElsewhere = false;
    }

    /** Goes on; false if the slice ended before the end. */
    boolean goOn() {
        while (inRuns < size) {
            if (budget.endsSlice()) {
                return false;
            }
            int end = Math.min(size, inRuns + RUN);
            sortRun(inRuns, end);
            inRuns = end;
        }
        while (width < size) {
            while (merged < size) {
                if (budget.endsSlice()) {
                    return false;
                }
                mergeOne();
            }
            long[] done = target;
            target = source;
            source = done;
            isElsewhere = !isElsewhere;
            merged = 0;
            width *= 2;
        }
        if (isElsewhere) {
            System.arraycopy(source, 0, items, 0, size);
        }
        if (Invariants.EXPENSIVE) {
            for (int i = 1; i < size; i++) {
                Invariants.check(
                        !order.isAfter(items[i - 1], items[i]), "a sort that ran in slices has its rows in order");
            }
        }
        items = new long[0];
        source = items;
        target = items;
        size = 0;
        return true;
    }

    private void sortRun(int from, int to) {
        for (int i = from + 1; i < to; i++) {
            long item = items[i];
            int place = i;
            while (place > from && order.isAfter(items[place - 1], item)) {
                items[place] = items[place - 1];
                place--;
            }
            items[place] = item;
        }
    }

    private void mergeOne() {
        long pair = merged / (2 * width) * (2 * width);
        int leftEnd = (int) Math.min(size, pair + width);
        int rightEnd = (int) Math.min(size, pair + 2 * width);
        if (merged == pair) {
            left = merged;
            right = leftEnd;
        }
        boolean takesRight = left == leftEnd || (right < rightEnd && order.isAfter(source[left], source[right]));
        target[merged++] = takesRight ? source[right++] : source[left++];
    }
}
