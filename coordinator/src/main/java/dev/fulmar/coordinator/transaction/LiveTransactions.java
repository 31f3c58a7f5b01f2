package dev.fulmar.coordinator.transaction;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.TransactionId;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The multi-partition transactions under way, oldest first. Thread-safe. */
public final class LiveTransactions {
    private final ConcurrentSkipListMap<TransactionId, DistributedTransaction> live = new ConcurrentSkipListMap<>();
    private final AtomicInteger count = new AtomicInteger();

    /** Adds a transaction before it starts. */
    public void add(DistributedTransaction transaction) {
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
        for (DistributedTransaction transaction : live.values()) {
            transaction.cancel(code, message);
        }
    }
}
