package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.procedure.budget.BudgetLimits;

/**
 * The limits of one call.
 *
 * @param timeoutNanos how long a request without a time-out of its own may wait before it starts, or take as a
 *     multi-partition transaction
 * @param procedure what its procedure may spend
 * @param maxResultBytes rows that it reads and returns, all together
 * @param intermediateBytes rows that one of its statements keeps while it runs
 * @param leaseNanos how long a session's lease of a row lasts that it does not use
 * @param slices how much of a snapshot a partition reads at once
 * @param strict a single-partition procedure that needs another partition fails, instead of being run again as a
 *     multi-partition one
 */
public record CallLimits(
        long timeoutNanos,
        BudgetLimits procedure,
        int maxResultBytes,
        long intermediateBytes,
        long leaseNanos,
        SliceLimits slices,
        boolean strict) {
    private static final long SECOND_NANOS = 1_000_000_000L;

    /** How long a lease lasts unless something else is said. */
    public static final long DEFAULT_LEASE_NANOS = SECOND_NANOS;

    public static final CallLimits DEFAULT =
            new CallLimits(30 * SECOND_NANOS, BudgetLimits.DEFAULT, 50 << 20, 256L << 20, false);

    public CallLimits(
            long timeoutNanos, BudgetLimits procedure, int maxResultBytes, long intermediateBytes, boolean strict) {
        this(
                timeoutNanos,
                procedure,
                maxResultBytes,
                intermediateBytes,
                DEFAULT_LEASE_NANOS,
                SliceLimits.DEFAULT,
                strict);
    }

    public CallLimits withSlices(SliceLimits newSlices) {
        return new CallLimits(
                timeoutNanos, procedure, maxResultBytes, intermediateBytes, leaseNanos, newSlices, strict);
    }

    /** The procedure's limits for a request with a time-out of its own, or with 0 for none. */
    BudgetLimits procedure(long requestTimeoutNanos) {
        return requestTimeoutNanos <= 0 || requestTimeoutNanos >= procedure.timeNanos()
                ? procedure
                : procedure.withTimeNanos(requestTimeoutNanos);
    }

    /** Time that a request with this time-out may wait; 0 stands for a request without one. */
    public long timeoutNanos(long requestTimeoutNanos) {
        return requestTimeoutNanos <= 0 ? timeoutNanos : requestTimeoutNanos;
    }
}
