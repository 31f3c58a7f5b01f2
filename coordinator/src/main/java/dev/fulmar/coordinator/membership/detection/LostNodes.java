package dev.fulmar.coordinator.membership.detection;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Nodes that were not reached for a while. A node for which a caller has asked is looked at every few seconds, so that
 * one that was reached in between is not lost. Thread-safe.
 */
public final class LostNodes {
    private static final long LOOK_NANOS = 1_000_000_000;

    /** A node for which no caller has asked for so long is looked at no more. */
    private static final long ASKED_NANOS = 300_000_000_000L;

    private final Predicate<NodeId> isReached;
    private final Clock clock;
    private final Scheduler scheduler;
    private final long patienceNanos;

    /** Of nodes that are not reached; asked for single nodes only. */
    private final Map<Integer, Absence> absences = new ConcurrentHashMap<>();

    /**
     * A node was not reached whenever it was looked at.
     *
     * @param askedNanos when a caller asked for it last
     */
    private record Absence(long sinceNanos, long askedNanos) {}

    /**
     * @param isReached whether a node is reached now
     * @param patienceNanos so long one that is not reached may come back
     */
    public LostNodes(Predicate<NodeId> isReached, Clock clock, Scheduler scheduler, long patienceNanos) {
        this.isReached = isReached;
        this.clock = clock;
        this.scheduler = scheduler;
        this.patienceNanos = patienceNanos;
    }

    /** Whether the node was not reached since a caller asked so long ago. */
    public boolean isLost(int node) {
        if (isReached.test(new NodeId(node))) {
            absences.remove(node);
            return false;
        }
        long now = clock.monotonicNanos();
        Absence before = absences.putIfAbsent(node, new Absence(now, now));
        if (before == null) {
            lookLater(node, now);
            return false;
        }
        absences.computeIfPresent(node, (_, absence) -> new Absence(absence.sinceNanos(), now));
        return now - before.sinceNanos() >= patienceNanos;
    }

    private void lookLater(int node, long sinceNanos) {
        scheduler.schedule(LOOK_NANOS, () -> {
            Absence known = absences.get(node);
            if (known == null || known.sinceNanos() != sinceNanos) {
                return; // a later absence has looks of its own
            }
            boolean isAsked = clock.monotonicNanos() - known.askedNanos() <= ASKED_NANOS;
            if (isAsked && !isReached.test(new NodeId(node))) {
                lookLater(node, sinceNanos);
            } else {
                absences.remove(node);
            }
        });
    }
}
