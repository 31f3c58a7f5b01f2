package dev.fulmar.coordinator.membership;

/** Outcome of a change. */
public sealed interface ChangeOutcome<T> {
    /** The change is there, with its new version. */
    record Applied<T>(T value) implements ChangeOutcome<T> {}

    /**
     * The change is not there and never will be: something else is. It may be this node's own earlier change, whose
     * outcome was unknown.
     */
    record Conflict<T>(T current) implements ChangeOutcome<T> {}

    /** The change may be there, may come later, or may never come. */
    record Unknown<T>(String reason) implements ChangeOutcome<T> {}

    /** As {@link Unknown}, and the session is gone. */
    record SessionLost<T>() implements ChangeOutcome<T> {}

    /** The change is not there; an operator must act before it can be. The message says how. */
    record Refused<T>(String message) implements ChangeOutcome<T> {}
}
