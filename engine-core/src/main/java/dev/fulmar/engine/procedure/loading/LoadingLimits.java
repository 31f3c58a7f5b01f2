package dev.fulmar.engine.procedure.loading;

import dev.fulmar.engine.procedure.budget.BudgetLimits;

/**
 * The limits of a jar, and of the initialization of its classes.
 *
 * @param jarBytes size of the file
 * @param classes number of its classes
 * @param unpackedBytes size of its classes, unpacked
 * @param initialization what the static initializers of one procedure's classes may spend
 * @param call what one call of a function may spend; its statement's time may be shorter
 */
public record LoadingLimits(
        int jarBytes, int classes, int unpackedBytes, BudgetLimits initialization, BudgetLimits call) {
    private static final long SECOND_NANOS = 1_000_000_000L;

    public static final LoadingLimits DEFAULT = new LoadingLimits(
            16 << 20, 4_000, 64 << 20, BudgetLimits.DEFAULT.withTimeNanos(SECOND_NANOS), BudgetLimits.DEFAULT);

    /** The same with other limits of a call of a function. */
    public LoadingLimits withCall(BudgetLimits newCall) {
        return new LoadingLimits(jarBytes, classes, unpackedBytes, initialization, newCall);
    }

    /** The usual limits of a call. */
    public LoadingLimits(int jarBytes, int classes, int unpackedBytes, BudgetLimits initialization) {
        this(jarBytes, classes, unpackedBytes, initialization, BudgetLimits.DEFAULT);
    }
}
