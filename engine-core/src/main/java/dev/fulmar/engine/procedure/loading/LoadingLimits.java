package dev.fulmar.engine.procedure.loading;

import dev.fulmar.engine.procedure.budget.BudgetLimits;

/**
 * The limits of a jar, and of the initialization of its classes.
 *
 * @param jarBytes size of the file
 * @param classes number of its classes
 * @param unpackedBytes size of its classes, unpacked
 * @param initialization what the static initializers of one procedure's classes may spend
 */
public record LoadingLimits(int jarBytes, int classes, int unpackedBytes, BudgetLimits initialization) {
    private static final long SECOND_NANOS = 1_000_000_000L;

    public static final LoadingLimits DEFAULT =
            new LoadingLimits(16 << 20, 4_000, 64 << 20, BudgetLimits.DEFAULT.withTimeNanos(SECOND_NANOS));
}
