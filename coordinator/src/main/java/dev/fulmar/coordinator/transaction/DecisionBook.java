package dev.fulmar.coordinator.transaction;

import dev.fulmar.foundation.id.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The decisions in one base partition's stream that a participant may still ask for. Checkpoints of the partition hold
 * them, because they may cover the records. A decision is in the book from the moment when it is written, which is
 * before it is durable. Thread-safe.
 */
public final class DecisionBook {
    private final ConcurrentSkipListMap<DecidedAttempt, KeptDecision> written = new ConcurrentSkipListMap<>();

    /** Transactions that no participant can ask for any more, of which the log does not say so yet. */
    private final ConcurrentLinkedQueue<TransactionId> settled = new ConcurrentLinkedQueue<>();

    /** The decision is written. */
    public void put(KeptDecision decision) {
        written.put(decision.decided(), decision);
    }

    /**
     * Settles a decision that no participant can ask for any more, as this node has found out. The log names ids only,
     * so an id is handed to it when no attempt under that id can be asked for.
     */
    public void settle(DecidedAttempt decided) {
        if (written.remove(decided) != null && of(decided.transaction()).isEmpty()) {
            settled.add(decided.transaction());
        }
    }

    /** Removes the decisions of a transaction that no participant can ask for any more, as the log says. */
    public void remove(TransactionId transaction) {
        of(transaction).clear();
    }

    private ConcurrentNavigableMap<DecidedAttempt, KeptDecision> of(TransactionId transaction) {
        return written.subMap(
                new DecidedAttempt(transaction, Integer.MIN_VALUE),
                true,
                new DecidedAttempt(transaction, Integer.MAX_VALUE),
                true);
    }

    /** Takes some of those that were settled and that the log does not name yet, for it to name them now. */
    public List<TransactionId> takeSettled(int most) {
        List<TransactionId> taken = new ArrayList<>();
        TransactionId next = settled.poll();
        while (next != null) {
            if (of(next).isEmpty()) { // else the last attempt under the id settles it
                taken.add(next);
            }
            next = taken.size() < most ? settled.poll() : null;
        }
        return taken;
    }

    /** Empties the book. */
    public void clear() {
        written.clear();
        settled.clear();
    }

    /** All that is in it, oldest first. */
    public List<KeptDecision> all() {
        return List.copyOf(written.values());
    }
}
