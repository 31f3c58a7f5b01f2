package dev.fulmar.node.config;

import dev.fulmar.coordinator.portal.PortalLimits;
import java.time.Duration;

/**
 * Limits of results that clients fetch in parts.
 *
 * @param limits {@code portals.idle-timeout}, {@code portals.part-bytes}, {@code portals.per-connection} and
 *     {@code portals.max-open}
 * @param memoryBytes {@code portals.memory-limit}: what all that are open may take of the heap
 */
public record PortalConfiguration(PortalLimits limits, long memoryBytes) {
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final int MOST = 1 << 20;
    private static final long LEAST_PART = 1 << 10;
    private static final long MOST_PART = 16 << 20;
    private static final long LEAST_MEMORY = 1 << 20;
    private static final long MOST_BYTES = 1L << 40;

    /** Portals get one of so many parts of the heap. */
    private static final int HEAP_PARTS = 16;

    static PortalConfiguration of(Settings settings, Machine machine) {
        PortalLimits usual = PortalLimits.DEFAULT;
        return new PortalConfiguration(
                new PortalLimits(
                        settings.duration("portals.idle-timeout", Duration.ofNanos(usual.idleNanos()), MILLISECOND, DAY)
                                .toNanos(),
                        (int) settings.bytes("portals.part-bytes", usual.partBytes(), LEAST_PART, MOST_PART),
                        settings.number("portals.per-connection", usual.perConnection(), 1, MOST),
                        settings.number("portals.max-open", usual.mostOpen(), 1, MOST)),
                settings.bytes(
                        "portals.memory-limit",
                        Math.max(LEAST_MEMORY, machine.heapBytes() / HEAP_PARTS),
                        LEAST_MEMORY,
                        MOST_BYTES));
    }
}
