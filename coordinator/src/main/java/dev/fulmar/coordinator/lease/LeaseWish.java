package dev.fulmar.coordinator.lease;

import dev.fulmar.engine.execution.RowArea;

/**
 * The wish of a session's transaction for the lease of a row or a range.
 *
 * @param patienceNanos how long it waits; 0 not to wait
 * @param keepsWriters whether other sessions' changes of these rows wait as long as it has the lease
 * @param clientId of the statement that wishes it, with {@code requestId}: its handle, by which its client cancels it
 */
public record LeaseWish(
        RowArea area, LeaseAsker asker, long patienceNanos, boolean keepsWriters, long clientId, long requestId) {
    /** The same wish with another patience. */
    public LeaseWish within(long nanos) {
        return new LeaseWish(area, asker, nanos, keepsWriters, clientId, requestId);
    }

    /** Whether it is the wish of the statement with the handle. */
    boolean isOf(long otherClientId, long otherRequestId) {
        return clientId == otherClientId && requestId == otherRequestId;
    }
}
