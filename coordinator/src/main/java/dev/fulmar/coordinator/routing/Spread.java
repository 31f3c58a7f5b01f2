package dev.fulmar.coordinator.routing;

/**
 * Chooses the partition of a request that any partition may run, by hashing a number such as the client's id. The same
 * number always gives the same partition.
 */
public final class Spread {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private Spread() {}

    /** A partition for the number. */
    public static int partition(long number, int partitions) {
        long mixed = (number ^ (number >>> 32)) * GOLDEN;
        return (int) (((mixed >>> 32) * partitions) >>> 32);
    }
}
