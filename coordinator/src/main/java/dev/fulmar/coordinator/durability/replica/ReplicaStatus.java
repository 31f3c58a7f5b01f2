package dev.fulmar.coordinator.durability.replica;

import dev.fulmar.coordinator.membership.leadership.Leadership;

/**
 * The partition's standing in the cluster, for any thread.
 *
 * @param epoch of the term that is known here; 0 before the first
 */
public record ReplicaStatus(Leadership.Role role, long epoch, ReplicaState state) {
    /** Whether requests are executed here. */
    public boolean serves() {
        return state == ReplicaState.SERVING;
    }

    /** Whether this copy tells outcomes of transactions; it does so before it executes requests. */
    public boolean answers() {
        return state.answers();
    }

    /** Whether the copy is damaged, and another copy is to be built in its place. */
    public boolean isBroken() {
        return state == ReplicaState.BROKEN;
    }
}
