package dev.fulmar.engine.procedure.budget;

/**
 * The most that one call may spend.
 *
 * @param timeNanos running time, waits for other partitions included
 * @param allocatedBytes memory that it allocates on the heap, all together
 * @param largestObjectBytes size of one array or text
 * @param stackSlots depth of its own calls, in slots of eight bytes; far below what a thread's stack holds, so that the
 *     engine can always run below it
 */
public record BudgetLimits(long timeNanos, long allocatedBytes, int largestObjectBytes, int stackSlots) {
    private static final long SECOND_NANOS = 1_000_000_000L;

    /** Five seconds, 256 MiB, 16 MiB for one object, 192 KiB of stack. */
    public static final BudgetLimits DEFAULT = new BudgetLimits(5 * SECOND_NANOS, 256L << 20, 16 << 20, 24 << 10);

    public BudgetLimits {
        if (timeNanos <= 0 || allocatedBytes <= 0 || largestObjectBytes <= 0 || stackSlots <= 0) {
            throw new IllegalArgumentException("every limit of a procedure call must be positive");
        }
    }

    public BudgetLimits withTimeNanos(long newTimeNanos) {
        return new BudgetLimits(newTimeNanos, allocatedBytes, largestObjectBytes, stackSlots);
    }
}
