package dev.fulmar.engine.execution.operator;

/** Calls a check now and then while rows are walked, so that a long statement can be ended. */
public final class RowBudget {
    private static final int ROWS_BETWEEN_CHECKS = 1024;

    private final Runnable check;
    private int rowsLeft = ROWS_BETWEEN_CHECKS;

    /** @param check throws to end the statement */
    public RowBudget(Runnable check) {
        this.check = check;
    }

    /** To be called for every row that is looked at. */
    public void spendRow() {
        if (--rowsLeft <= 0) {
            rowsLeft = ROWS_BETWEEN_CHECKS;
            check.run();
        }
    }
}
