package dev.fulmar.coordinator.fiber;

/** What a fiber does until it waits or ends. */
public interface FiberStretch {
    /** Does it. Called once. */
    void run();

    /**
     * The home runs nothing any more: the stretch runs on a thread of its own, so that whoever waits for the fiber gets
     * an answer.
     */
    void strand();
}
