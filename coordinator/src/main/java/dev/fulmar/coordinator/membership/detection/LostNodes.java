package dev.fulmar.coordinator.membership.detection;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Nodes that were not reached for a while, as far as callers have asked. Thread-safe. */
public final class LostNodes {
    /** A node that no caller has asked for so long may have come back meanwhile. */
    private static final long ASKED_NANOS = 5_000_000_000L;

    private final Predicate<NodeId> isReached;
    private final Clock clock;
    private final long patienceNanos;

    /** Of nodes that are not reached; asked for single nodes only. */
    private final Map<Integer, Absence> absences = new ConcurrentHashMap<>();

    /**
     * A node was not reached whenever a caller asked.
     *
     * @param askedNanos the last of these times
     */
    private record Absence(long sinceNanos, long askedNanos) {}

    /**
     * @param isReached whether a node is reached now
     * @param patienceNanos so long one that is not reached may come back
     */
    public LostNodes(Predicate<NodeId> isReached, Clock clock, long patienceNanos) {
        this.isReached = isReached;
        this.clock = clock;
        this.patienceNanos = patienceNanos;
    }

    /** Whether the node was not reached since a caller asked so long ago, and others asked every few seconds. */
    public boolean isLost(int node) {
        if (isReached.test(new NodeId(node))) {
            absences.remove(node);
            return false;
        }
        long now = clock.monotonicNanos();
        Absence known = absences.compute(
                node,
                (_, before) -> before == null || now - before.askedNanos() > ASKED_NANOS
                        ? new Absence(now, now)
                        : new Absence(before.sinceNanos(), now));
        return now - known.sinceNanos() >= patienceNanos;
    }
}
