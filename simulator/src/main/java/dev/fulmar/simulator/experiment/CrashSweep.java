package dev.fulmar.simulator.experiment;

import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.simulator.crash.CrashTally;
import dev.fulmar.simulator.crash.CrashTally.Reached;
import dev.fulmar.simulator.crash.ForkingRun;
import dev.fulmar.simulator.crash.PlanCache;
import dev.fulmar.sql.SqlCompiler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Stops a database at every point of its storage calls, and judges its recovery. */
public final class CrashSweep implements Experiment {
    private static final long POINTS = 20_000;
    private static final long QUICK_POINTS = 600;

    /** A quick sweep tries one point of so many. */
    private static final int QUICK_STRIDE = 11;

    private static final int ASKS = 60;
    private static final int CATALOG_ROUNDS = 2;
    private static final int REPORT_SECONDS = 10;

    /** The part in which keys move between partitions. */
    private static final String MOVES = "moves";

    @Override
    public String name() {
        return "crash-sweep";
    }

    @Override
    public String meaning() {
        return "a database stopped at any point of its storage calls recovers all that it acknowledged (acceptance point 1)";
    }

    @Override
    public Findings run(Settings settings) throws InterruptedException {
        if (!Set.of(MOVES).containsAll(settings.only())) {
            throw new IllegalArgumentException("there is no part " + settings.only() + ", only " + MOVES);
        }
        boolean movesKeys = settings.only().contains(MOVES);
        long most = settings.quick() ? QUICK_POINTS : POINTS;
        ForkingRun.Plan plan = new ForkingRun.Plan(
                DurabilityMode.SYNC, ASKS, CATALOG_ROUNDS, settings.quick() ? QUICK_STRIDE : 1, Set.of(), movesKeys);
        CrashTally tally = new CrashTally();
        AtomicLong seeds = new AtomicLong(settings.seed());
        PlanCache sql = new PlanCache(new SqlCompiler());
        long begin = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            threads.add(Thread.ofPlatform().name("crash-sweep-" + i).start(() -> {
                while (tally.count(Reached.CRASH) < most) {
                    new ForkingRun(seeds.getAndIncrement(), plan, sql, tally, () -> tally.count(Reached.CRASH) >= most)
                            .run();
                }
            }));
        }
        int told = 0;
        for (Thread thread : threads) {
            while (!thread.join(Duration.ofSeconds(REPORT_SECONDS))) {
                told = tellViolations(settings, tally, told);
                tell(settings, tally, most);
            }
        }
        double seconds = (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
        tellViolations(settings, tally, told);
        Findings findings = new Findings(name(), settings.quick(), "sync");
        findings.check("crash-sweep.violations", (double) tally.violated());
        findings.check(
                "crash-sweep.missing-rare-paths", tally.missing(movesKeys).size());
        if (!settings.quick()) {
            findings.check("crash-sweep.points", (double) tally.count(Reached.CRASH));
        }
        findings.series("seeds", seeds.get() - settings.seed());
        findings.series("seconds", seconds);
        findings.series("reached", tally.counts());
        findings.series("missing", tally.missing(movesKeys));
        findings.series("violations", tally.violations());
        settings.output().accept("reached: " + tally.counts());
        settings.output()
                .accept(String.format(Locale.ROOT, "%.0f s; never reached: %s", seconds, tally.missing(movesKeys)));
        return findings;
    }

    /** Tells those that were not told yet, for a full sweep takes long; returns how many are told now. */
    private static int tellViolations(Settings settings, CrashTally tally, int told) {
        List<String> violations = tally.violations();
        violations.subList(told, violations.size()).forEach(settings.output());
        return violations.size();
    }

    private static void tell(Settings settings, CrashTally tally, long most) {
        settings.output()
                .accept(String.format(
                        Locale.ROOT,
                        "%,d of %,d crashes, %,d recoveries went on, %d violations",
                        tally.count(Reached.CRASH),
                        most,
                        tally.count(Reached.WENT_ON),
                        tally.violated()));
    }
}
