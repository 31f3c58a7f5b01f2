package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The handles of cancelled requests, while these may be under way. There are few or none; the threads that run requests
 * check now and then. Thread-safe.
 */
public final class CancelledRequests {
    private static final int MOST = 10_000;

    private final Set<Handle> handles = ConcurrentHashMap.newKeySet();

    /** Whether there is any: read far more often than anything is cancelled. */
    private volatile boolean isAny;

    private record Handle(long clientId, long requestId) {}

    /** Notes a request; false if too many are noted, or it has no handle. */
    public boolean add(long clientId, long requestId) {
        if (clientId == 0 || handles.size() >= MOST) {
            return false;
        }
        handles.add(new Handle(clientId, requestId));
        isAny = true;
        return true;
    }

    /** Forgets a request that has long ended. */
    public void remove(long clientId, long requestId) {
        handles.remove(new Handle(clientId, requestId));
        isAny = !handles.isEmpty();
        if (!handles.isEmpty()) { // one may have come in between
            isAny = true;
        }
    }

    /** Whether the request is one of them. */
    public boolean has(TransactionRequest request) {
        return has(request.clientId(), request.requestId());
    }

    /** Whether the request with the handle is one of them. */
    public boolean has(long clientId, long requestId) {
        return isAny && handles.contains(new Handle(clientId, requestId));
    }

    /** The failure of a cancelled request. */
    public static FulmarException failure() {
        return new FulmarException(ErrorCode.CANCELLED, "the call was cancelled by its client, and had no effect");
    }
}
