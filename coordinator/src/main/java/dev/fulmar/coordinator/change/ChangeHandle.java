package dev.fulmar.coordinator.change;

import dev.fulmar.coordinator.request.TransactionRequest;
import java.util.Comparator;

/**
 * The handle of a client's change of the catalog. A client that has heard no answer asks again under the same one, and
 * the change is made once.
 *
 * @param clientId 0 for a change that nobody asks for again
 */
public record ChangeHandle(long clientId, long requestId) implements Comparable<ChangeHandle> {
    /** The handle of a change that no client asks for again. */
    public static final ChangeHandle NONE = new ChangeHandle(0, 0);

    /** The request's own. */
    public static ChangeHandle of(TransactionRequest request) {
        return new ChangeHandle(request.clientId(), request.requestId());
    }

    private static final Comparator<ChangeHandle> ORDER =
            Comparator.comparingLong(ChangeHandle::clientId).thenComparingLong(ChangeHandle::requestId);

    boolean isNone() {
        return clientId == 0;
    }

    @Override
    public int compareTo(ChangeHandle other) {
        return ORDER.compare(this, other);
    }
}
