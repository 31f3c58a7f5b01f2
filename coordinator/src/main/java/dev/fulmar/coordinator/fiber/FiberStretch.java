package dev.fulmar.coordinator.fiber;

/** A fiber's run from one wait to the next, or to its end. */
public interface FiberStretch {
    /** Runs the stretch. Called once. */
    void run();

    /**
     * Runs the stretch on a thread of its own, because its home has stopped. The fiber's callers still get an answer.
     */
    void strand();
}
