package dev.fulmar.foundation.check;

/** Takes note that a rare path was reached, so that a campaign which never reached it is not believed. */
@FunctionalInterface
public interface Probes {
    /** For production: nobody asks. */
    Probes NONE = name -> {};

    /** Marks the path with the name, which is a constant. */
    void reached(String name);
}
