package dev.fulmar.benchmarks.experiment;

/** A campaign that measures and judges. */
public interface Experiment {
    /** Name on the command line. */
    String name();

    /** What it shows, in a line. */
    String meaning();

    /** Runs it; a breach is a failed check, an exception means that the experiment itself broke. */
    Findings run(Settings settings) throws Exception;

    /**
     * How to run.
     *
     * @param quick a smaller volume, for a minute or two
     * @param seed of everything random
     * @param output told what happens, a line at a time
     */
    record Settings(boolean quick, long seed, java.util.function.Consumer<String> output) {}
}
