package dev.fulmar.coordinator;

import dev.fulmar.coordinator.planning.PlanningClaim;
import dev.fulmar.coordinator.transaction.CancelledRequests;
import dev.fulmar.coordinator.transaction.IncomingRequest;
import dev.fulmar.foundation.error.FulmarException;
import org.jspecify.annotations.Nullable;

/**
 * {@link PlanningClaim} of a client's request: lets the planning queue drop the statement when the request is late or
 * cancelled, or its client is gone.
 *
 * @param deadlineNanos when its time is over, on the node's monotonic clock
 */
record RequestClaim(IncomingRequest incoming, long deadlineNanos, CancelledRequests cancelled)
        implements PlanningClaim {
    /** All requests of a client are of one session; one that says not who it is has a session of its own. */
    @Override
    public Object session() {
        long client = incoming.request().clientId();
        return client == 0 ? incoming : client;
    }

    @Override
    public boolean isLate(long nowNanos) {
        return nowNanos - deadlineNanos >= 0;
    }

    @Override
    public @Nullable FulmarException abandoned() {
        return cancelled.has(incoming.request()) || incoming.sink().isGone() ? CancelledRequests.failure() : null;
    }
}
