package dev.fulmar.simulator.experiment;

import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.coordinator.durability.DurabilityMode;
import dev.fulmar.simulator.crash.CrashReport;
import dev.fulmar.simulator.crash.CrashRun;
import dev.fulmar.sql.SqlCompiler;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Stops a database at every point of its storage calls, and judges what it recovers. */
public final class CrashSweep implements Experiment {
    private static final int POINTS = 20_000;
    private static final int QUICK_POINTS = 150;

    /** Points of one seed between two that a quick sweep stops at. */
    private static final int QUICK_STRIDE = 17;

    private static final int WISHES = 25;
    private static final int KILL_EVERY = 4;
    private static final int REPORT_EVERY = 100;

    private final SqlCompiler sql = new SqlCompiler();
    private final Map<Reached, Long> reached = new EnumMap<>(Reached.class);
    private int violations;

    /** What a sweep must have come across. */
    private enum Reached {
        CHECKPOINT,
        CHECKPOINT_LOG_WRITTEN_BACK,
        BEGUN_FROM_CHECKPOINTS,
        TRANSACTION_IN_DOUBT,
        UNANSWERED
    }

    @Override
    public String name() {
        return "crash-sweep";
    }

    @Override
    public String meaning() {
        return "a database stopped at any point of its storage calls recovers all that it acknowledged (acceptance point 1)";
    }

    @Override
    public Findings run(Settings settings) {
        Findings findings = new Findings(name(), settings.quick(), "sync");
        int most = settings.quick() ? QUICK_POINTS : POINTS;
        int stride = settings.quick() ? QUICK_STRIDE : 1;
        int stopped = 0;
        long acknowledged = 0;
        long seed = settings.seed();
        for (; stopped < most; seed++) {
            long points = look(settings, seed, Long.MAX_VALUE, true).points();
            for (long point = 1; point <= points && stopped < most; point += stride) {
                CrashReport report = look(settings, seed, point, stopped % KILL_EVERY != 0);
                acknowledged += report.acknowledged();
                stopped++;
                if (stopped % REPORT_EVERY == 0) {
                    settings.output()
                            .accept(String.format(
                                    Locale.ROOT,
                                    "%,d of %,d points, %,d transactions acknowledged, %d violations",
                                    stopped,
                                    most,
                                    acknowledged,
                                    violations));
                }
            }
        }
        findings.check("crash-sweep.violations", violations);
        findings.check("crash-sweep.missing-rare-paths", Reached.values().length - reached.size());
        if (!settings.quick()) {
            findings.check("crash-sweep.points", stopped);
        }
        findings.series("points", stopped);
        findings.series("seeds", seed - settings.seed());
        findings.series("acknowledged", acknowledged);
        findings.series("rarePaths", reached);
        return findings;
    }

    private CrashReport look(Settings settings, long seed, long point, boolean powerFailure) {
        CrashReport report = new CrashRun(seed, DurabilityMode.SYNC, Set.of(), sql).run(WISHES, point, powerFailure);
        if (!report.violations().isEmpty()) {
            violations++;
            settings.output()
                    .accept("seed " + seed + (powerFailure ? ", power failure" : ", kill") + " at point " + point + ": "
                            + report.violations().getFirst());
        }
        note(Reached.CHECKPOINT, report.checkpoints() > 0);
        note(Reached.CHECKPOINT_LOG_WRITTEN_BACK, report.reclaimed() > 0);
        note(Reached.BEGUN_FROM_CHECKPOINTS, report.fromCheckpoints());
        note(Reached.TRANSACTION_IN_DOUBT, report.inDoubt());
        note(Reached.UNANSWERED, report.unknown() > 0);
        return report;
    }

    private void note(Reached path, boolean isReached) {
        if (isReached) {
            reached.merge(path, 1L, Long::sum);
        }
    }
}
