package dev.fulmar.coordinator.lock;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.id.PartitionId;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The coordinator's record of which partition locks an attempt of its transaction has requested, and which of these are
 * granted. One thread at a time.
 */
public final class LockSet {
    private final TreeSet<PartitionId> asked = new TreeSet<>();
    private final TreeSet<PartitionId> held = new TreeSet<>();

    /** The partition gets a request; it counts as a participant whether or not it has answered. */
    public void asked(PartitionId partition) {
        asked.add(partition);
    }

    /** The partition has answered, so its lock is held. */
    public void granted(PartitionId partition) {
        if (Invariants.EXPENSIVE) {
            Invariants.check(asked.contains(partition), "a partition grants a lock that its coordinator asked for");
        }
        held.add(partition);
    }

    /** All that were asked hold. */
    public boolean isComplete() {
        return held.size() == asked.size();
    }

    /** All partitions that were asked, in partition order. */
    public SortedSet<PartitionId> participants() {
        return asked;
    }

    /** A new attempt begins. */
    public void clear() {
        asked.clear();
        held.clear();
    }
}
