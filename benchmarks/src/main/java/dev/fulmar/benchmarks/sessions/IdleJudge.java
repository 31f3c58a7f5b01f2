package dev.fulmar.benchmarks.sessions;

import dev.fulmar.benchmarks.experiment.Findings;
import java.util.List;

/** Compares what was observed with the goals. */
final class IdleJudge {
    private static final double MIB = 1 << 20;

    private IdleJudge() {}

    static void report(Findings findings, int planned, List<RatePair> pairs, Observations seen) {
        MeanRatio ratio = MeanRatio.of(RatePair.ratios(pairs));
        findings.check("idle-sessions.pairs", (double) pairs.size() / planned);
        findings.check("idle-sessions.rate", ratio.lowest());
        findings.check(
                "idle-sessions.errors",
                pairs.stream().mapToLong(RatePair::failed).sum());
        findings.check(
                "idle-sessions.open",
                Math.min(
                        pairs.stream().mapToLong(RatePair::open).min().orElse(0),
                        seen.during().open()));
        findings.check("idle-sessions.versions", seen.during().versionShare());
        findings.check(
                "idle-sessions.locks",
                seen.during().live() + seen.locked().lockWaits() - seen.during().lockWaits());
        findings.check("idle-sessions.timed-out", seen.toldIdle());
        findings.check(
                "idle-sessions.left-bytes",
                "rolled back",
                left(seen.after().takenBytes() - seen.before().takenBytes()));
        findings.check(
                "idle-sessions.left-bytes", "idle too long", left(seen.idleEnd().takenBytes()));
        findings.check(
                "idle-sessions.left-bytes",
                "client gone",
                left(seen.afterLeaving().takenBytes() - seen.after().takenBytes()));
        findings.check(
                "idle-sessions.left-open",
                seen.after().open()
                        + seen.idleEnd().open()
                        + seen.afterLeaving().open());
        findings.check(
                "idle-sessions.heap", (seen.after().heapBytes() - seen.before().heapBytes()) / MIB);
        findings.check("idle-sessions.lease", "killed", seen.killedMillis());
        findings.check("idle-sessions.lease", "silent", seen.silentMillis());
        findings.check("idle-sessions.problems", seen.problems());
        findings.series("meanRatio", ratio);
        findings.series("sessions", HeldSessions.COUNT);
        findings.series("changesOfEach", HeldSessions.CHANGES);
        findings.series("observations", seen);
        findings.series("pairs", pairs);
    }

    /** Bytes that were not given back, or that were given back twice. */
    private static long left(long bytes) {
        return Math.abs(bytes);
    }
}
