package dev.fulmar.coordinator.fiber;

/** A flow of control that can wait without holding a thread. */
public interface Fiber {
    /** Starts the body. Called once. */
    void start();

    /**
     * Waits for {@link #unpark()}; returns at once if that was called since the last return. May return for no reason,
     * so the caller checks what it waits for. Only for the fiber's own body.
     */
    void park();

    /** Ends the wait, or the next one. Any thread may call it. */
    void unpark();
}
