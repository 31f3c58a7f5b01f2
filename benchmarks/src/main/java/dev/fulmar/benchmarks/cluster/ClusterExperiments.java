package dev.fulmar.benchmarks.cluster;

import dev.fulmar.benchmarks.experiment.Experiment;
import java.util.List;

/** The experiments of this package. */
public final class ClusterExperiments {
    private ClusterExperiments() {}

    public static List<Experiment> all() {
        return List.of(new Failover(), new ReplicationCost(), new MultiPartition(), new Growth());
    }
}
