package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.engine.partition.CoordinatorMessage;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.TransactionId;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The multi-partition transactions under way, oldest first. Thread-safe. */
public final class LiveTransactions {
    /** A transaction under way. */
    public interface Live {
        TransactionId id();

        /** Makes it fail unless it is decided already. Any thread. */
        void cancel(ErrorCode code, String message);

        /** Whether the attempt was undone, as a later one shows. Any thread. */
        default boolean isPast(int attempt) {
            return false;
        }

        /** A partition says something. Any thread. */
        default void deliver(CoordinatorMessage message) {}
    }

    /**
     * @param arrival of the request that it executes, null if that is nothing that a client asked for
     * @param isForClientOnly whether nothing remains of it but the answer to the client that it arrived from
     */
    private record Entry(Live transaction, @Nullable IncomingRequest incoming, boolean isForClientOnly) {
        boolean executes(long clientId, long requestId) {
            return incoming != null
                    && incoming.request().clientId() == clientId
                    && incoming.request().requestId() == requestId;
        }

        boolean isOnlyFor(ResponseSink client) {
            return isForClientOnly && incoming != null && incoming.sink().isOf(client);
        }
    }

    private final ConcurrentSkipListMap<TransactionId, Entry> live = new ConcurrentSkipListMap<>();
    private final AtomicInteger count = new AtomicInteger();

    /** Adds a transaction before it starts. */
    void add(Live transaction, @Nullable IncomingRequest incoming) {
        add(new Entry(transaction, incoming, false));
    }

    /** Adds a transaction before it starts that leaves nothing but the answer to the client that it arrived from. */
    void addReader(Live transaction, IncomingRequest incoming) {
        add(new Entry(transaction, incoming, true));
    }

    private void add(Entry entry) {
        count.incrementAndGet();
        Entry earlier = live.put(entry.transaction().id(), entry);
        Invariants.check(earlier == null, "a coordinator gives each of its transactions an id of its own");
    }

    public void remove(TransactionId id) {
        if (live.remove(id) != null) {
            count.decrementAndGet();
        }
    }

    /** The transaction, or null if it has ended. */
    public @Nullable Live find(TransactionId id) {
        Entry entry = live.get(id);
        return entry == null ? null : entry.transaction();
    }

    public int count() {
        return count.get();
    }

    /** Fails with SERVER_BUSY if so many are under way. */
    public void checkRoom(int capacity) {
        if (count() >= capacity) {
            throw new FulmarException(
                    ErrorCode.SERVER_BUSY,
                    capacity + " multi-partition transactions are under way; send fewer at once, or again after a"
                            + " moment");
        }
    }

    /** Makes all fail that are not decided. */
    public void cancelAll(ErrorCode code, String message) {
        for (Entry entry : live.values()) {
            entry.transaction().cancel(code, message);
        }
    }

    /** Makes those fail that execute the request with the handle and are not decided. */
    void cancel(long clientId, long requestId, ErrorCode code, String message) {
        for (Entry entry : live.values()) {
            if (entry.executes(clientId, requestId)) {
                entry.transaction().cancel(code, message);
            }
        }
    }

    /** Makes the readers fail that nothing would remain of, as their client is gone. */
    void departed(ResponseSink client, ErrorCode code, String message) {
        for (Entry entry : live.values()) {
            if (entry.isOnlyFor(client)) {
                entry.transaction().cancel(code, message);
            }
        }
    }
}
