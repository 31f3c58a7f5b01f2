package dev.fulmar.engine.execution.operator;

import dev.fulmar.foundation.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Calls a check now and then while rows are walked, so that a long statement can be ended. It also ends the slices of a
 * statement that runs in slices.
 *
 * <p>A slice ends only where an operator asks {@link #endsSlice}. Then every operator up to the statement returns as if
 * no more rows were wanted, and {@link #isPaused} tells those apart from whom rows are still expected.
 */
public final class RowBudget {
    private static final int ROWS_BETWEEN_CHECKS = 1024;

    /** Within a slice, whose time is soon over. */
    private static final int ROWS_BETWEEN_LOOKS = 32;

    private final Runnable check;
    private int rowsLeft = ROWS_BETWEEN_CHECKS;
    private boolean paused;
    private long sliceEndNanos;
    private int sliceRows;
    private int granted = ROWS_BETWEEN_CHECKS;
    private @Nullable Clock clock;

    /** @param check throws to end the statement */
    public RowBudget(Runnable check) {
        this.check = check;
    }

    /** To be called for every row that is looked at where the statement cannot pause. */
    public void spendRow() {
        if (--rowsLeft <= 0) {
            look();
        }
    }

    /**
     * To be called between two rows where the statement can pause.
     *
     * @return whether it must: the operator keeps where it is, and returns
     */
    boolean endsSlice() {
        return --rowsLeft <= 0 && look() && pause();
    }

    /** Whether the slice is over. */
    private boolean look() {
        check.run();
        Clock time = clock;
        if (time == null) {
            rowsLeft = ROWS_BETWEEN_CHECKS;
            return false;
        }
        sliceRows -= granted - rowsLeft;
        boolean over = sliceRows <= 0 || time.monotonicNanos() - sliceEndNanos >= 0;
        granted = over ? 1 : Math.min(ROWS_BETWEEN_LOOKS, sliceRows);
        rowsLeft = granted;
        return over;
    }

    private boolean pause() {
        paused = true;
        return true;
    }

    /** Whether the statement runs in slices. */
    boolean isSliced() {
        return clock != null;
    }

    /** Whether rows are still expected although an operator returned as if it wanted none. */
    public boolean isPaused() {
        return paused;
    }

    /** Ends the slice at the next place where the statement can pause. */
    public void endSlice() {
        sliceRows = 0;
        granted = 1;
        rowsLeft = 1;
    }

    /** A slice begins, the first one or after a pause. */
    public void beginSlice(Clock newClock, long budgetNanos, int mostRows) {
        clock = newClock;
        paused = false;
        sliceEndNanos = newClock.monotonicNanos() + budgetNanos;
        // The first row is only come to, so with less than two nothing would ever go on.
        sliceRows = Math.max(2, mostRows);
        granted = Math.min(ROWS_BETWEEN_LOOKS, sliceRows);
        rowsLeft = granted;
    }
}
