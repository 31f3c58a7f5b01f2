package dev.fulmar.coordinator.transaction;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.TransactionId;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The multi-partition transactions under way, oldest first. Thread-safe. */
public final class LiveTransactions {
    /** A transaction under way. */
    interface Live {
        TransactionId id();

        /** Makes it fail unless it is decided already. Any thread. */
        void cancel(ErrorCode code, String message);
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
