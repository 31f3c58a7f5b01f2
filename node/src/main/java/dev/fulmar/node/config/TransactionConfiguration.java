package dev.fulmar.node.config;

import dev.fulmar.coordinator.session.SessionLimits;
import dev.fulmar.coordinator.transaction.CallLimits;
import java.time.Duration;

/**
 * Limits of transactions that clients send statement by statement.
 *
 * @param limits {@code transactions.statements}, {@code transactions.bytes}, {@code transactions.idle-timeout},
 *     {@code transactions.timeout} and {@code transactions.reruns}: what one may take
 * @param memoryBytes {@code transactions.memory-limit}: what all that are open may take of the heap
 * @param lease {@code transactions.lease-time}: how long one has the lease of a row that it does not use
 * @param mostOpen {@code transactions.max-open}: how many may be open
 */
public record TransactionConfiguration(SessionLimits limits, long memoryBytes, Duration lease, int mostOpen) {
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final int MOST = 1 << 24;

    /** Of a node without others, to which a transaction would go in one message; at most half of what all may take. */
    private static final long MOST_USUAL_BYTES = 64L << 20;

    private static final int MOST_RERUNS = 1_000;
    private static final long MOST_BYTES = 1L << 40;
    private static final long LEAST_MEMORY = 1 << 20;
    private static final int USUAL_OPEN = 10_000;

    /** Open transactions get one of so many parts of the heap. */
    private static final int HEAP_PARTS = 16;

    static TransactionConfiguration of(Settings settings, Machine machine) {
        SessionLimits usual = SessionLimits.DEFAULT;
        boolean isAlone = settings.text(ClusterConfiguration.NAME, "").isEmpty();
        long memoryBytes = settings.bytes(
                "transactions.memory-limit",
                Math.max(LEAST_MEMORY, machine.heapBytes() / HEAP_PARTS),
                LEAST_MEMORY,
                MOST_BYTES);
        long usualBytes =
                isAlone ? Math.max(usual.bytes(), Math.min(MOST_USUAL_BYTES, memoryBytes / 2)) : usual.bytes();
        return new TransactionConfiguration(
                new SessionLimits(
                        settings.number("transactions.statements", usual.statements(), 1, MOST),
                        settings.bytes("transactions.bytes", usualBytes, 1, MOST_BYTES),
                        settings.duration(
                                        "transactions.idle-timeout",
                                        Duration.ofNanos(usual.idleNanos()),
                                        MILLISECOND,
                                        DAY)
                                .toNanos(),
                        settings.duration(
                                        "transactions.timeout", Duration.ofNanos(usual.totalNanos()), MILLISECOND, DAY)
                                .toNanos(),
                        settings.number("transactions.reruns", usual.reruns(), 0, MOST_RERUNS)),
                memoryBytes,
                settings.duration(
                        "transactions.lease-time", Duration.ofNanos(CallLimits.DEFAULT_LEASE_NANOS), MILLISECOND, DAY),
                settings.number("transactions.max-open", USUAL_OPEN, 1, MOST));
    }
}
