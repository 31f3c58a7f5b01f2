package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.engine.partition.CoordinatorMessage;
import dev.fulmar.foundation.error.ErrorCode;
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

    /** @param request what it executes, null if that is nothing that a client asked for */
    private record Entry(Live transaction, @Nullable TransactionRequest request) {}

    private final ConcurrentSkipListMap<TransactionId, Entry> live = new ConcurrentSkipListMap<>();
    private final AtomicInteger count = new AtomicInteger();

    /** Adds a transaction before it starts. */
    void add(Live transaction, @Nullable TransactionRequest request) {
        count.incrementAndGet();
        live.put(transaction.id(), new Entry(transaction, request));
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

    /** Makes all fail that are not decided. */
    public void cancelAll(ErrorCode code, String message) {
        for (Entry entry : live.values()) {
            entry.transaction().cancel(code, message);
        }
    }

    /** Makes those fail that execute the request with the handle and are not decided. */
    void cancel(long clientId, long requestId, ErrorCode code, String message) {
        for (Entry entry : live.values()) {
            TransactionRequest request = entry.request();
            if (request != null && request.clientId() == clientId && request.requestId() == requestId) {
                entry.transaction().cancel(code, message);
            }
        }
    }
}
