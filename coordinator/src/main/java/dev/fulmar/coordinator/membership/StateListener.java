package dev.fulmar.coordinator.membership;

/** Listener for records and presences that may have changed. A notification may come without a change. */
public interface StateListener {
    /** The record may have changed. */
    void changed(StateKey<?> key);

    /** Nodes may have come, gone, or been replaced. */
    void presencesChanged();

    /**
     * The session's state. After {@link SessionState#CONNECTED} everything may have changed, each record and the
     * presences.
     */
    void sessionChanged(SessionState state);
}
