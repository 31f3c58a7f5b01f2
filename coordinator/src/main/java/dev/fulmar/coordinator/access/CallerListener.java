package dev.fulmar.coordinator.access;

/** A listener that is notified of a caller's changes of the catalog. Called on any thread; must not block. */
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
