package dev.fulmar.coordinator.transaction;

import dev.fulmar.foundation.id.TransactionId;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The decisions in one base partition's stream that a participant may still ask for: what its checkpoints must hold, because they may cover the records. A
 * decision is in it from the moment when it is written, which is before it is durable. Thread-safe.
 */
public final class DecisionBook {
    private final ConcurrentSkipListMap<TransactionId, KeptDecision> written = new ConcurrentSkipListMap<>();

    /** The decision is written. */
    public void put(KeptDecision decision) {
        written.put(decision.transaction(), decision);
    }

    /** Nobody can ask for it any more. */
    public void remove(TransactionId transaction) {
        written.remove(transaction);
    }

    /** As before the first decision. */
    public void clear() {
        written.clear();
    }

    /** All that is in it, oldest first. */
    public List<KeptDecision> all() {
        return List.copyOf(written.values());
    }
}
