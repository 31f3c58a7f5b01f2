package dev.fulmar.coordinator.durability.replica;

/**
 * Phase of a partition's replica on this node: it joins the cluster, follows a primary, prepares to lead, serves as
 * primary, or is damaged.
 *
 * <table>
 *   <caption>States and what ends them</caption>
 *   <tr><th>state<th>meaning<th>next
 *   <tr><td>DETACHED<td>the node has no part in a cluster: it serves its own partitions<td>JOINING, when it has
 *   <tr><td>JOINING<td>the replica is about to take part, on its own thread<td>FOLLOWING
 *   <tr><td>FOLLOWING<td>a backup or learner, or without a role<td>PROMOTED, when its term is in its log
 *   <tr><td>PROMOTED<td>primary of a term; the node may lack changes of the catalog<td>RESOLVING, when it has them
 *   <tr><td>RESOLVING<td>primary; tells outcomes, and asks for that of its in-doubt part<td>SERVING, with the verdict
 *   <tr><td>SERVING<td>primary; executes requests<td>FOLLOWING, when the term ends, as from the two before
 *   <tr><td>BROKEN<td>damaged, from any state behind JOINING<td>FOLLOWING, when a new copy is built in its place
 * </table>
 */
public enum ReplicaState {
    DETACHED,
    JOINING,
    FOLLOWING,
    PROMOTED,
    RESOLVING,
    SERVING,
    BROKEN;

    boolean mayBecome(ReplicaState next) {
        return switch (this) {
            case DETACHED -> next == JOINING;
            case JOINING -> next == FOLLOWING;
            case FOLLOWING -> next == PROMOTED || next == BROKEN;
            case PROMOTED -> next == RESOLVING || next == FOLLOWING || next == BROKEN;
            case RESOLVING -> next == SERVING || next == FOLLOWING || next == BROKEN;
            case SERVING -> next == FOLLOWING || next == BROKEN;
            case BROKEN -> next == FOLLOWING;
        };
    }

    /** Whether the replica stays in the state until something happens elsewhere. */
    boolean isLasting() {
        return this == FOLLOWING || this == SERVING;
    }

    /** Whether the replica tells outcomes of transactions; it does so before it executes requests. */
    boolean answers() {
        return this == RESOLVING || this == SERVING;
    }
}
