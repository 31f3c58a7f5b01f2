package dev.fulmar.simulator.experiment;

import dev.fulmar.benchmarks.bulk.BulkRivals;
import dev.fulmar.benchmarks.cluster.ClusterExperiments;
import dev.fulmar.benchmarks.exhaustion.Exhaustion;
import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Experiments;
import dev.fulmar.benchmarks.failstop.FailStop;
import dev.fulmar.benchmarks.hotrow.HotRowRivals;
import dev.fulmar.benchmarks.logflood.LogFlood;
import dev.fulmar.benchmarks.moving.MovingWindows;
import dev.fulmar.benchmarks.pgbench.PgbenchRivals;
import dev.fulmar.benchmarks.portals.LargeResults;
import dev.fulmar.benchmarks.reconfiguration.LiveReconfiguration;
import dev.fulmar.benchmarks.sessions.IdleSessions;
import dev.fulmar.benchmarks.versions.BesideVersions;
import dev.fulmar.simulator.chaos.Chaos;
import dev.fulmar.simulator.reconfiguration.ReconfigurationKills;
import java.util.List;
import java.util.stream.Stream;

/** The experiments of the whole project: those of this module, and those that it builds on. */
public final class AllExperiments {
    private AllExperiments() {}

    public static List<Experiment> all() {
        List<Experiment> own = List.of(
                new Serializability(),
                new SnapshotReads(),
                Mutations.ofNodes(),
                Mutations.ofClusters(),
                new InteractiveSerializability(),
                Mutations.ofMoves(),
                Mutations.ofSessions(),
                new CrashSweep(),
                new BitFlip(),
                new Chaos(),
                new ReconfigurationKills(),
                new FailStop(),
                new Exhaustion(),
                new LogFlood(),
                new BesideVersions(),
                new IdleSessions(),
                new LargeResults(),
                new PgbenchRivals(),
                new HotRowRivals(),
                new BulkRivals(),
                new MovingWindows(),
                new LiveReconfiguration());
        return Stream.of(Experiments.all(), ClusterExperiments.all(), own)
                .flatMap(List::stream)
                .toList();
    }
}
