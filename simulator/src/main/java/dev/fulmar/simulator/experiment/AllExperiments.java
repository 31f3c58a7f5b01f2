package dev.fulmar.simulator.experiment;

import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Experiments;
import java.util.List;
import java.util.stream.Stream;

/** The experiments of the whole project: those of this module, and those that it builds on. */
public final class AllExperiments {
    private AllExperiments() {}

    public static List<Experiment> all() {
        return Stream.concat(
                        Experiments.all().stream(),
                        Stream.of(
                                new Serializability(),
                                new SnapshotReads(),
                                new Mutations(),
                                new CrashSweep(),
                                new BitFlip()))
                .toList();
    }
}
