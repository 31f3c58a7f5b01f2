package dev.fulmar.coordinator.access;

/** Hears of what a caller did to the catalog. Called on any thread; must not block. */
@FunctionalInterface
public interface CallerListener {
    /**
     * A change of the catalog has its outcome.
     *
     * @param what was to be changed, without passwords and values
     * @param outcome {@code DONE}, or the name of an error code
     */
    void changed(String what, String outcome);

    /** Forgets it. */
    static CallerListener none() {
        return (what, outcome) -> {};
    }
}
