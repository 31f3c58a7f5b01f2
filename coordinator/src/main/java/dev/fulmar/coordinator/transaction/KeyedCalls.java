package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.RequestHistory;
import dev.fulmar.coordinator.transaction.HandledRequest.Underway;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.spi.DataAccess;
import dev.fulmar.engine.spi.Presence;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls that came to a partition for their key. It counts those that have committed, and knows those that are under way
 * as transactions over several partitions. Their outcomes belong where the key is, so a hand-off must miss none. For
 * the partition's thread.
 */
public final class KeyedCalls {
    private static final int LEAST_SWEPT = 64;

    private final RequestHistory<HandledRequest> history;
    private final List<Open> open = new ArrayList<>();
    private int sweptSize = LEAST_SWEPT;
    private long commits;

    private record Open(long clientId, long requestId, Underway underway) {}

    KeyedCalls(RequestHistory<HandledRequest> history) {
        this.history = history;
    }

    /** Commits so far. One whose key a guard keeps here need not be among them. */
    public long commits() {
        return commits;
    }

    void committed() {
        commits++;
    }

    /** A call goes on as a transaction over several partitions. */
    void begins(long clientId, long requestId, Underway underway) {
        if (open.size() >= sweptSize) {
            open.removeIf(call -> !isOpen(call));
            sweptSize = Math.max(LEAST_SWEPT, 2 * open.size());
        }
        open.add(new Open(clientId, requestId, underway));
    }

    private boolean isOpen(Open call) {
        return call.underway.decided() == null && call.underway.equals(history.find(call.clientId, call.requestId));
    }

    /**
     * A transaction over several partitions has committed.
     *
     * @param guard the one that is asked for keys of calls now; null for none
     */
    void committed(Underway underway, @Nullable DataAccess guard) {
        if (underway.isOfKey()
                && (guard == null || !underway.key().presence(guard).equals(Presence.PRESENT))) {
            commits++;
        }
    }

    /** Whether a transaction is under way for a call with a key of the ranges, or without one. */
    public boolean isOneOpen(List<KeyRange> ranges) {
        DataAccess asked = new InRanges(ranges);
        return open.stream()
                .anyMatch(call ->
                        isOpen(call) && !call.underway.key().presence(asked).equals(Presence.PRESENT));
    }

    /** Says of keys in the ranges that they have moved. */
    private record InRanges(List<KeyRange> ranges) implements DataAccess {
        @Override
        public Presence ofKey(KeySpace space, long position) {
            return ranges.stream().anyMatch(range -> range.contains(space, position))
                    ? new Presence.Moved()
                    : Presence.PRESENT;
        }

        @Override
        public Presence ofAll() {
            return new Presence.Moved();
        }
    }
}
