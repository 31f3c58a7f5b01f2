package dev.fulmar.coordinator.access;

/**
 * Listener that is notified when a change of the catalog that its caller asked for has ended, so that the node can
 * audit it. Called on any thread; must not block.
 */
@FunctionalInterface
public interface CallerListener {
    /**
     * A change of the catalog has its outcome.
     *
     * @param what was to be changed, without passwords and values
     * @param outcome {@code DONE}, or the name of an error code
     */
    void changed(String what, String outcome);

    /** A listener that ignores all changes. */
    static CallerListener none() {
        return (what, outcome) -> {};
    }
}
