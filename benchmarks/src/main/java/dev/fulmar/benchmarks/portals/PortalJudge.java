package dev.fulmar.benchmarks.portals;

import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.foundation.error.ErrorCode;

/** Compares what was observed with the goals. */
final class PortalJudge {
    private static final double MIB = 1 << 20;

    private PortalJudge() {}

    static void report(Findings findings, PortalObservations seen) {
        report(findings, "stream", seen.stream(), seen.rows());
        report(findings, "cursor", seen.cursor(), seen.rows());
        findings.check("portals.readers", (double) seen.crowdOpen());
        findings.check(
                "portals.heap",
                "stopped readers, node",
                (seen.crowd().heapBytes() - seen.base().heapBytes()) / MIB);
        findings.check(
                "portals.accounted",
                "stopped readers",
                (seen.crowd().accountedBytes() - seen.base().accountedBytes()) / MIB);
        findings.check("portals.ended", seen.heard().equals(ErrorCode.PORTAL_ENDED.name()) ? 1 : 0);
        findings.check("portals.versions", seen.stalled().versionShare());
        findings.check("portals.expired", (double) seen.end().expired());
        findings.check("portals.written", (double) seen.written());
        findings.check("portals.refused", (double) seen.refused());
        findings.check("portals.left-bytes", (double)
                Math.abs(seen.end().accountedBytes() - seen.base().accountedBytes()));
        findings.check(
                "portals.left-open", (double) (seen.end().open() + seen.end().readers()));
        findings.series("observations", seen);
    }

    private static void report(Findings findings, String way, LargeReading reading, long rows) {
        findings.check("portals.rows", way, (double) reading.rows() / rows);
        findings.check("portals.wrong", way, (double) reading.wrong());
        findings.check("portals.samples", way, reading.samples());
        findings.check("portals.heap", way + ", node", reading.nodeHeapBytes() / MIB);
        findings.check("portals.heap", way + ", client", reading.clientHeapBytes() / MIB);
        findings.check("portals.accounted", way, reading.nodeAccountedBytes() / MIB);
    }
}
