package dev.fulmar.benchmarks.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Progress of the campaigns of random statements: their use of the machine, and the point at which an ended one goes
 * on.
 */
final class SqlProgress {
    private static final int MOST_WORKERS = 8;

    private SqlProgress() {}

    /** A round keeps about one core busy. */
    static int workers() {
        return Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MOST_WORKERS);
    }

    /** The file in the experiment's directory in which rounds that are done are kept; null without a directory. */
    static @Nullable Path file(String experiment, Experiment.Settings settings) throws IOException {
        Path directory = settings.directory();
        if (directory == null) {
            return null;
        }
        Files.createDirectories(directory);
        return directory.resolve(experiment + "-" + settings.seed() + ".rounds");
    }
}
