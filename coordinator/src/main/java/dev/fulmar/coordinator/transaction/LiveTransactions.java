package dev.fulmar.coordinator.transaction;

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

        /** A partition says something. Any thread. */
        default void deliver(CoordinatorMessage message) {}
    }

    private final ConcurrentSkipListMap<TransactionId, Live> live = new ConcurrentSkipListMap<>();
    private final AtomicInteger count = new AtomicInteger();

    /** Adds a transaction before it starts. */
    void add(Live transaction) {
        count.incrementAndGet();
        live.put(transaction.id(), transaction);
    }

    public void remove(TransactionId id) {
        if (live.remove(id) != null) {
            count.decrementAndGet();
        }
    }

    /** The transaction, or null if it has ended. */
    public @Nullable Live find(TransactionId id) {
        return live.get(id);
    }

    public int count() {
        return count.get();
    }

    /** Makes all fail that are not decided. */
    public void cancelAll(ErrorCode code, String message) {
        for (Live transaction : live.values()) {
            transaction.cancel(code, message);
        }
    }
}
