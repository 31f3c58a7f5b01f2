package dev.fulmar.coordinator.membership;

/**
 * Outcome of a read of the cluster's shared state by {@link ClusterState}: a value, no answer, a lost session, or a
 * refusal.
 */
public sealed interface ReadOutcome<T> {
    /** The value, as it was at some moment. */
    record Found<T>(T value) implements ReadOutcome<T> {}

    /** No answer; reading again is safe. */
    record Unanswered<T>(String reason) implements ReadOutcome<T> {}

    /** No answer, and the session is gone. */
    record SessionLost<T>() implements ReadOutcome<T> {}

    /**
     * The store has something there that this node cannot or may not read. It stays so until an operator acts; the
     * message says how.
     */
    record Refused<T>(String message) implements ReadOutcome<T> {}
}
