package dev.fulmar.coordinator.planning;

import dev.fulmar.foundation.error.FulmarException;
import org.jspecify.annotations.Nullable;

/** Who waits for a planning, and for how long. Thread-safe. */
public interface PlanningClaim {
    /** Whose turn it takes; sessions are told apart by {@code equals}. */
    Object session();

    /** Whether its time is over at that moment of the node's monotonic clock. */
    boolean isLate(long nowNanos);

    /** What the statement comes to because nobody waits for it any more; null while somebody does. */
    @Nullable FulmarException abandoned();

    /** What the node itself needs however long it takes. */
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
