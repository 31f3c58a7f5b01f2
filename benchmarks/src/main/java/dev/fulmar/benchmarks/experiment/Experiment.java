package dev.fulmar.benchmarks.experiment;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A campaign that measures and judges. */
public interface Experiment {
    /** Name on the command line. */
    String name();

    /** The meaning of the experiment, in a line. */
    String meaning();

    /** Runs it; a breach is a failed check, an exception means that the experiment itself broke. */
    Findings run(Settings settings) throws Exception;

    /**
     * Settings of a run.
     *
     * @param quick a smaller volume, for a minute or two
     * @param seed of everything random
     * @param output told what happens, a line at a time
     * @param directory of what it reads, or of what it keeps to go on later, for an experiment that does so
     * @param only names of the parts to run, of an experiment that has such; empty for all
     * @param timeLimit after which an experiment that can go on later ends; null for none
     */
    record Settings(
            boolean quick,
            long seed,
            Consumer<String> output,
            @Nullable Path directory,
            Set<String> only,
            @Nullable Duration timeLimit) {
        public Settings {
            only = Set.copyOf(only);
        }

        public Settings(boolean quick, long seed, Consumer<String> output) {
            this(quick, seed, output, null, Set.of(), null);
        }
    }
}
