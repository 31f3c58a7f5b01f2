package dev.fulmar.foundation.memory;

/**
 * A thread's reserve in a {@link ByteBudget}, from which it takes small amounts without access to the shared counter.
 * It takes from the budget once in many small amounts, and keeps no more than two portions that it does not use. For
 * one thread, but for {@link #unusedBytes}.
 */
public final class BudgetLease {
    static final int PORTION_BYTES = ByteBudget.SMALL_BYTES;
    private static final int KEPT_BYTES = 2 * PORTION_BYTES;

    private final ByteBudget budget;
    private volatile long unusedBytes;

    BudgetLease(ByteBudget budget) {
        this.budget = budget;
    }

    /** Takes bytes; false if the budget has not so many left. */
    public boolean take(int bytes) {
        long unused = unusedBytes;
        if (bytes > unused) {
            if (budget.take(PORTION_BYTES)) {
                unused += PORTION_BYTES;
            } else if (budget.take(bytes)) {
                unused += bytes;
            }
            if (bytes > unused) {
                unusedBytes = unused;
                return false;
            }
        }
        unusedBytes = unused - bytes;
        return true;
    }

    /** Takes bytes whatever is left. */
    public void takeAlways(int bytes) {
        if (!take(bytes)) {
            budget.takeAlways(bytes);
        }
    }

    public void giveBack(int bytes) {
        long unused = unusedBytes + bytes;
        if (unused > KEPT_BYTES) {
            budget.giveBack(unused - PORTION_BYTES);
            unused = PORTION_BYTES;
        }
        unusedBytes = unused;
    }

    long unusedBytes() {
        return unusedBytes;
    }
}
