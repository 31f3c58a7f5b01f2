package dev.fulmar.coordinator.planning;

import dev.fulmar.foundation.error.FulmarException;
import org.jspecify.annotations.Nullable;

/**
 * Says for a statement in the {@link PlanningQueue} whose session's turn it takes, and whether its client still waits.
 * Thread-safe.
 */
public interface PlanningClaim {
    /** The session whose turn it takes; sessions are told apart by {@code equals}. */
    Object session();

    /** Whether its time is over at that moment of the node's monotonic clock. */
    boolean isLate(long nowNanos);

    /** The failure of the statement if its client no longer waits for it; null while the client waits. */
    @Nullable FulmarException abandoned();

    /** A claim of the node itself, which has no time limit. */
    static PlanningClaim ofNode(Object session) {
        return new PlanningClaim() {
            @Override
            public Object session() {
                return session;
            }

            @Override
            public boolean isLate(long nowNanos) {
                return false;
            }

            @Override
            public @Nullable FulmarException abandoned() {
                return null;
            }
        };
    }
}
