package dev.fulmar.benchmarks.portals;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LargeResultsTest {
    private static final long MEBIBYTE = 1 << 20;
    private static final PortalNodeFigures BASE = new PortalNodeFigures(0, 0, 0, 0, 0, 5, 40 * MEBIBYTE);
    private static final LargeReading READING = new LargeReading(10, 0, MEBIBYTE, MEBIBYTE, MEBIBYTE, 2);

    /** Figures of a run that meets all goals; a test changes one. */
    private static final PortalObservations USUAL = new PortalObservations(
            10,
            BASE,
            READING,
            READING,
            new PortalNodeFigures(100, 100 * MEBIBYTE, 0, 100, 0, 5, 150 * MEBIBYTE),
            100,
            new PortalNodeFigures(0, 0, 1, 0, 0, 500_000, 40 * MEBIBYTE),
            "PORTAL_ENDED",
            1_000,
            0,
            BASE);

    private static List<String> failed(PortalObservations seen) {
        Findings findings = new Findings(LargeResults.NAME, true, "none");
        PortalJudge.report(findings, seen);
        assertThat(findings.asMap()).as("all figures can be shown").isNotEmpty();
        return findings.checks().stream()
                .filter(check -> !check.passed())
                .map(Findings.Check::name)
                .toList();
    }

    private static PortalObservations with(
            LargeReading stream, PortalNodeFigures crowd, PortalNodeFigures stalled, String heard, long refused) {
        return new PortalObservations(
                10, BASE, stream, READING, crowd, crowd.open(), stalled, heard, 1_000, refused, BASE);
    }

    @Test
    void whatIsAsItShouldBePasses() {
        assertThat(failed(USUAL)).isEmpty();
    }

    @Test
    void eachGoalIsJudged() {
        LargeReading wrong = new LargeReading(9, 1, 129 * MEBIBYTE, 130 * MEBIBYTE, 131 * MEBIBYTE, 0);
        assertThat(failed(with(wrong, USUAL.crowd(), USUAL.stalled(), USUAL.heard(), 0)))
                .containsExactly(
                        "portals.rows (stream)",
                        "portals.wrong (stream)",
                        "portals.samples (stream)",
                        "portals.heap (stream, node)",
                        "portals.heap (stream, client)",
                        "portals.accounted (stream)");
        PortalNodeFigures large = new PortalNodeFigures(99, 129 * MEBIBYTE, 0, 99, 0, 5, 200 * MEBIBYTE);
        assertThat(failed(with(READING, large, USUAL.stalled(), USUAL.heard(), 0)))
                .containsExactly(
                        "portals.readers",
                        "portals.heap (stopped readers, node)",
                        "portals.accounted (stopped readers)");
        PortalNodeFigures late = new PortalNodeFigures(0, 0, 0, 0, 0, 760_000, 40 * MEBIBYTE);
        assertThat(failed(with(READING, USUAL.crowd(), late, "SNAPSHOT_TOO_OLD", 1)))
                .containsExactly("portals.ended", "portals.versions", "portals.refused");
    }

    @Test
    void nothingMayBeLeft() {
        PortalNodeFigures left = new PortalNodeFigures(1, 5, 1, 0, 2, 5, 40 * MEBIBYTE);
        PortalObservations seen = new PortalObservations(
                10, BASE, READING, READING, USUAL.crowd(), 100, USUAL.stalled(), USUAL.heard(), 0, 0, left);
        assertThat(failed(seen))
                .containsExactly("portals.expired", "portals.written", "portals.left-bytes", "portals.left-open");
    }

    @Test
    @Timeout(120)
    void theQuickFormPasses() throws Exception {
        Findings findings = new LargeResults().run(new Experiment.Settings(true, 1, line -> {}));
        assertThat(findings.checks()).as(findings.checks().toString()).allMatch(Findings.Check::passed);
        assertThat(findings.checks()).hasSizeGreaterThan(20);
    }
}
