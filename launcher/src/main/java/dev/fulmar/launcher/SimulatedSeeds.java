package dev.fulmar.launcher;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/**
 * Interface of the simulations that {@code simulate} runs and reports seed by seed: {@link ClusterSeeds} and
 * {@link OneNodeSeeds}.
 */
interface SimulatedSeeds {
    /**
     * Runs the seed. For any thread, if the seeds may run at the same time.
     *
     * @param number of seeds before it
     */
    Made make(long seed, long number);

    /** A seed that was run and is not counted yet. */
    @FunctionalInterface
    interface Made {
        /** Counts it; returns what was wrong. One thread, in the order of the seeds. */
        List<String> count();
    }

    /** Whether several of them may run at the same time. */
    boolean mayShareTime();

    /** Tells all about the last run. */
    void tell(PrintWriter out);

    /** Looks for a smaller run of the seed that still fails. */
    void minimise(long seed, PrintWriter out);

    /** The progress so far, in a few words. */
    String progress();

    /** The outcome of all runs, for people. */
    List<String> lines();

    /** The same as a JSON object. */
    Map<String, Object> asMap();

    boolean passed();
}
