package dev.fulmar.node.config;

import java.lang.management.ManagementFactory;

/**
 * The machine's figures on which defaults depend.
 *
 * @param cores processors that this process may use
 * @param memoryBytes main memory, or what the process may have of it
 * @param heapBytes most that the heap may have
 */
record Machine(int cores, long memoryBytes, long heapBytes) {
    private static final long FALLBACK_MEMORY_BYTES = 4L << 30;

    static Machine current() {
        long memory =
                ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                        ? system.getTotalMemorySize()
                        : FALLBACK_MEMORY_BYTES;
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                memory,
                Runtime.getRuntime().maxMemory());
    }
}
