package dev.fulmar.coordinator.routing;

/** Spreads what may run on any partition over all of them, the same way every time. */
public final class Spread {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private Spread() {}

    /** A partition for the number. */
    public static int partition(long number, int partitions) {
        long mixed = (number ^ (number >>> 32)) * GOLDEN;
        return (int) (((mixed >>> 32) * partitions) >>> 32);
    }
}
