package dev.fulmar.launcher;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/** Runs of one kind, seed by seed. */
interface SimulatedSeeds {
    /** Runs the seed; returns what was wrong. */
    List<String> run(long seed);

    /** Tells all about the last run. */
    void tell(PrintWriter out);

    /** Looks for a smaller run of the seed that still fails. */
    void minimise(long seed, PrintWriter out);

    /** What was done so far, in a few words. */
    String progress();

    /** What came of all runs, for people. */
    List<String> lines();

    /** The same as a JSON object. */
    Map<String, Object> asMap();

    boolean passed();
}
