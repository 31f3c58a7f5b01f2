package dev.fulmar.benchmarks.sessions;

import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.MeanRatio;
import java.util.List;

/** Compares what was observed with the goals. */
final class IdleJudge {
    private static final double MIB = 1 << 20;

    private IdleJudge() {}

    static void report(Findings findings, int planned, List<RatePair> pairs, Observations seen) {
        MeanRatio ratio = MeanRatio.of(RatePair.ratios(pairs));
        findings.check("idle-sessions.pairs", (double) pairs.size() / planned);
        findings.check("idle-sessions.rate", ratio.lowest());
        check(findings, "errors", pairs.stream().mapToLong(RatePair::failed).sum());
        long leastOpen = pairs.stream().mapToLong(RatePair::open).min().orElse(0);
        check(findings, "open", Math.min(leastOpen, seen.during().open()));
        findings.check("idle-sessions.versions", seen.during().versionShare());
        long waits = seen.locked().lockWaits() - seen.during().lockWaits();
        check(findings, "locks", seen.during().live() + waits);
        check(findings, "timed-out", seen.toldIdle());
        checkLeft(findings, "rolled back", seen.before(), seen.after());
        checkLeft(findings, "idle too long", seen.idleBefore(), seen.idleEnd());
        checkLeft(findings, "client gone", seen.after(), seen.afterLeaving());
        findings.check(
                "idle-sessions.heap", (seen.after().heapBytes() - seen.before().heapBytes()) / MIB);
        findings.check("idle-sessions.lease", "killed", seen.killedMillis());
        findings.check("idle-sessions.lease", "silent", seen.silentMillis());
        check(findings, "problems", seen.problems());
        findings.series("meanRatio", ratio);
        findings.series("sessions", HeldSessions.COUNT);
        findings.series("changesOfEach", HeldSessions.CHANGES);
        findings.series("observations", seen);
        findings.series("pairs", pairs);
    }

    private static void check(Findings findings, String what, long measured) {
        findings.check("idle-sessions." + what, (double) measured);
    }

    /** Nothing was kept, and nothing given back twice. */
    private static void checkLeft(Findings findings, String end, NodeFigures before, NodeFigures after) {
        findings.check("idle-sessions.left-bytes", end, (double) Math.abs(after.takenBytes() - before.takenBytes()));
        findings.check("idle-sessions.left-open", end, (double) after.open());
    }
}
