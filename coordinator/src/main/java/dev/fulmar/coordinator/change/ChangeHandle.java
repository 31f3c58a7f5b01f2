package dev.fulmar.coordinator.change;

import java.util.Comparator;

/**
 * Under what a client asked for a change of the catalog: it asks again under the same one when it has heard no answer,
 * and the change is made once.
 *
 * @param clientId 0 for a change that nobody asks for again
 */
public record ChangeHandle(long clientId, long requestId) implements Comparable<ChangeHandle> {
    /** Of a change that nobody asks for again. */
    public static final ChangeHandle NONE = new ChangeHandle(0, 0);

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
