package dev.fulmar.foundation.check;

/** Registry of probes: marks on rare paths, so that a campaign which never reached one is not believed. */
@FunctionalInterface
public interface Probes {
    /** For production: ignores all probes. */
    Probes NONE = name -> {};

    /** Marks the path with the name, which is a constant. */
    void reached(String name);
}
