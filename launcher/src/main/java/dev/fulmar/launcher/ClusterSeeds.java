package dev.fulmar.launcher;

import dev.fulmar.benchmarks.experiment.CodeFingerprint;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.simulator.cluster.ClusterCampaign;
import dev.fulmar.simulator.cluster.ClusterReport;
import dev.fulmar.simulator.cluster.ClusterRun;
import dev.fulmar.simulator.cluster.ClusterSummary;
import dev.fulmar.simulator.cluster.Fault;
import dev.fulmar.simulator.cluster.FaultReduction;
import dev.fulmar.simulator.cluster.SeedLedger;
import dev.fulmar.simulator.crash.PlanCache;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Runs of clusters. */
final class ClusterSeeds implements SimulatedSeeds {
    private static final int MOST_SMALLER_RUNS = 100;

    private final PlanCache sql;
    private final long durationNanos;
    private final ClusterCampaign campaign;
    private final @Nullable SeedLedger ledger;
    private @Nullable ClusterReport last;

    /**
     * @param faults numbers of those that happen; null for all
     * @param file of the ledger, if there is one
     */
    ClusterSeeds(
            SqlFrontend sql, long durationNanos, int repeatEvery, @Nullable Set<Integer> faults, @Nullable Path file) {
        this.sql = new PlanCache(sql);
        this.durationNanos = durationNanos;
        this.ledger = file == null ? null : new SeedLedger(file, fingerprint());
        this.campaign = new ClusterCampaign(sql, durationNanos, repeatEvery, faults, this::noted);
    }

    /** Of the modules that the simulated nodes consist of. */
    private static String fingerprint() {
        return CodeFingerprint.ofDatabase(ClusterRun.class);
    }

    private void noted(ClusterReport report) {
        SeedLedger notes = ledger;
        if (notes != null) {
            notes.add(report);
        }
    }

    @Override
    public Made make(long seed, long number) {
        ClusterCampaign.Result result = campaign.make(seed, number);
        return () -> {
            last = result.report();
            return campaign.add(result).violations();
        };
    }

    @Override
    public boolean mayShareTime() {
        return true;
    }

    @Override
    public void tell(PrintWriter out) {
        ClusterReport report = last;
        if (report == null) {
            return;
        }
        out.println(report.scenario());
        report.diary().forEach(out::println);
        out.printf(
                Locale.ROOT,
                "%,d events in %.3f s of virtual time, hash %016x; %,d transactions committed, %d faults%n",
                report.events(),
                report.virtualNanos() / 1e9,
                report.hash(),
                report.committed(),
                report.faults());
        report.violations().forEach(out::println);
    }

    @Override
    public void minimise(long seed, PrintWriter out) {
        ClusterReport whole = last;
        if (whole == null || whole.isGood()) {
            out.println("the run is good, so there is nothing to look for");
            return;
        }
        Set<Integer> all = new TreeSet<>(ClusterRun.faults(seed, durationNanos).stream()
                .map(Fault::number)
                .toList());
        Set<Integer> needed = FaultReduction.reduce(
                all,
                MOST_SMALLER_RUNS,
                faults ->
                        !new ClusterRun(seed, durationNanos, faults, sql).run().isGood());
        ClusterReport small = new ClusterRun(seed, durationNanos, needed, sql).run();
        out.println("with " + needed.size() + " of " + all.size() + " faults it still fails:");
        small.diary().forEach(out::println);
        small.violations().forEach(out::println);
        out.println("replay it with: bin/fulmar simulate --seed " + seed + " --seconds " + durationNanos / 1_000_000_000
                + (needed.isEmpty()
                        ? ""
                        : " --faults " + needed.stream().map(String::valueOf).collect(Collectors.joining(","))));
    }

    @Override
    public String progress() {
        return String.format(
                Locale.ROOT,
                "%,d seeds, %.3f hours of clusters, %,d transactions committed, %,d faults; %d seeds failed",
                campaign.seeds(),
                campaign.virtualNanos() / 3.6e12,
                campaign.committed(),
                campaign.faults(),
                campaign.bad().size());
    }

    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>(ClusterSummary.of(campaign).lines());
        SeedLedger notes = ledger;
        if (notes != null) {
            SeedLedger.Sum sum = notes.sum();
            lines.add(String.format(
                    Locale.ROOT,
                    "the ledger has %,d seeds of this code, %,d of them count with %.3f hours of clusters, %d failed",
                    sum.seeds(),
                    sum.counting(),
                    sum.hours(),
                    sum.failed()));
        }
        return lines;
    }

    @Override
    public Map<String, Object> asMap() {
        return ClusterSummary.of(campaign).asMap();
    }

    @Override
    public boolean passed() {
        return ClusterSummary.of(campaign).passed();
    }
}
