package dev.fulmar.simulator.cluster;

import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.simulator.crash.PlanCache;
import dev.fulmar.simulator.verify.ProbeCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Many runs of clusters, some of them twice to see whether they repeat. */
public final class ClusterCampaign {
    private final PlanCache sql;
    private final long durationNanos;
    private final int repeatEvery;
    private final @Nullable Set<Integer> onlyFaults;
    private final Consumer<ClusterReport> listener;
    private final ProbeCounts probes = new ProbeCounts();
    private final List<ClusterReport> bad = new ArrayList<>();
    private final List<Long> different = new ArrayList<>();
    private int seeds;
    private int counting;
    private int repeated;
    private long committed;
    private long faults;
    private long events;
    private long virtualNanos;

    /**
     * @param durationNanos of the disturbed part of each run
     * @param repeatEvery which runs are made twice: each so many-th, beginning with the first; 0 for none
     * @param onlyFaults numbers of those that happen; null for all
     * @param listener told of each run
     */
    public ClusterCampaign(
            SqlFrontend sql,
            long durationNanos,
            int repeatEvery,
            @Nullable Set<Integer> onlyFaults,
            Consumer<ClusterReport> listener) {
        this.sql = new PlanCache(sql);
        this.durationNanos = durationNanos;
        this.repeatEvery = repeatEvery;
        this.onlyFaults = onlyFaults;
        this.listener = listener;
    }

    /**
     * Result of a seed that is not in the campaign yet.
     *
     * @param isRepeated whether it was run twice
     * @param isDifferent whether the second run was not like the first one
     */
    public record Result(ClusterReport report, boolean isRepeated, boolean isDifferent) {}

    /**
     * Runs a seed, which becomes part of the campaign with {@link #add}. For any thread.
     *
     * @param number of seeds before it
     */
    public Result make(long seed, long number) {
        ClusterReport report = new ClusterRun(seed, durationNanos, onlyFaults, sql).run();
        boolean isRepeated = repeatEvery > 0 && number % repeatEvery == 0;
        boolean isDifferent = isRepeated
                && new ClusterRun(seed, durationNanos, onlyFaults, sql).run().hash() != report.hash();
        return new Result(report, isRepeated, isDifferent);
    }

    /** Takes in what came of one more seed. One thread. */
    public ClusterReport add(Result result) {
        ClusterReport report = result.report();
        repeated += result.isRepeated() ? 1 : 0;
        if (result.isDifferent()) {
            different.add(report.seed());
        }
        seeds++;
        counting += report.counts() ? 1 : 0;
        committed += report.committed();
        faults += report.faults();
        events += report.events();
        virtualNanos += report.virtualNanos();
        probes.add(report.probes());
        if (!report.isGood()) {
            bad.add(report);
        }
        listener.accept(report);
        return report;
    }

    public int seeds() {
        return seeds;
    }

    /** Runs in which enough happened. */
    public int counting() {
        return counting;
    }

    /** Runs that were made twice. */
    public int repeated() {
        return repeated;
    }

    /** Seeds whose second run was not like the first one. */
    public List<Long> different() {
        return List.copyOf(different);
    }

    /** Runs that showed a breach. */
    public List<ClusterReport> bad() {
        return List.copyOf(bad);
    }

    public long committed() {
        return committed;
    }

    public long faults() {
        return faults;
    }

    public long events() {
        return events;
    }

    public long virtualNanos() {
        return virtualNanos;
    }

    public ProbeCounts probes() {
        return probes;
    }

    /** Rare paths that no run reached: a campaign with one of them shows nothing. */
    public List<String> missingPaths() {
        return probes.missing(ClusterPath.names());
    }
}
