package dev.fulmar.benchmarks.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.MeanRatio;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdleJudgeTest {
    private static final long HEAP = 40 << 20;
    private static final NodeFigures REST = new NodeFigures(0, 0, 0, 0, 7, 10, HEAP);
    private static final NodeFigures HELD = new NodeFigures(100, 1_000_000, 0, 0, 7, 10, HEAP);
    private static final Observations USUAL = seen(HELD, HELD, REST, 100, REST, 900, REST, 0);

    @TempDir
    private Path folder;

    private static Observations seen(
            NodeFigures during,
            NodeFigures locked,
            NodeFigures after,
            int told,
            NodeFigures idleEnd,
            double leaseMillis,
            NodeFigures afterLeaving,
            int problems) {
        return new Observations(
                REST,
                during,
                locked,
                after,
                told,
                REST,
                idleEnd,
                leaseMillis / 10,
                leaseMillis,
                afterLeaving,
                problems);
    }

    private static List<RatePair> pairs(double... ratios) {
        List<RatePair> pairs = new ArrayList<>();
        for (double ratio : ratios) {
            pairs.add(new RatePair(pairs.size() + 1, pairs.size() % 2 == 0, 10_000 * ratio, 10_000, 0, 100));
        }
        return pairs;
    }

    private static List<String> failed(List<RatePair> pairs, Observations seen) {
        Findings findings = new Findings(IdleSessions.NAME, true, "none");
        IdleJudge.report(findings, 3, pairs, seen);
        assertThat(findings.asMap()).as("all figures can be shown").isNotEmpty();
        return findings.checks().stream()
                .filter(check -> !check.passed())
                .map(Findings.Check::name)
                .toList();
    }

    private static List<String> failed(Observations seen) {
        return failed(pairs(1, 0.99, 1.01), seen);
    }

    @Test
    void aUsualRunPasses() {
        assertThat(failed(USUAL)).isEmpty();
    }

    @Test
    void writersMustKeepTheirRateSurely() {
        assertThat(failed(pairs(0.96, 0.96, 0.96), USUAL)).containsExactly("idle-sessions.rate");
        assertThat(failed(pairs(1.2, 0.9, 1.2), USUAL))
                .as("the mean is above the goal, the lower end of the interval is not")
                .containsExactly("idle-sessions.rate");
    }

    @Test
    void allPairsMustBeThereWithAllTransactionsAndWithoutErrors() {
        assertThat(failed(pairs(1, 1), USUAL)).containsExactly("idle-sessions.pairs");
        assertThat(failed(List.of(), USUAL))
                .containsExactly("idle-sessions.pairs", "idle-sessions.rate", "idle-sessions.open");
        List<RatePair> wrong = new ArrayList<>(pairs(1, 1));
        wrong.add(new RatePair(3, true, 1, 1, 1, 99));
        assertThat(failed(wrong, USUAL)).containsExactly("idle-sessions.errors", "idle-sessions.open");
    }

    @Test
    void noPartitionMayBeLockedForOpenTransactions() {
        NodeFigures live = new NodeFigures(100, 1_000_000, 0, 1, 7, 10, HEAP);
        assertThat(failed(seen(live, live, REST, 100, REST, 900, REST, 0))).containsExactly("idle-sessions.locks");
        NodeFigures waited = new NodeFigures(100, 1_000_000, 0, 0, 8, 10, HEAP);
        assertThat(failed(seen(HELD, waited, REST, 100, REST, 900, REST, 0))).containsExactly("idle-sessions.locks");
    }

    @Test
    void versionsStayBelowTheirCap() {
        NodeFigures many = new NodeFigures(100, 1_000_000, 0, 0, 7, 1_000_001, HEAP);
        assertThat(failed(seen(many, many, REST, 100, REST, 900, REST, 0))).containsExactly("idle-sessions.versions");
    }

    @Test
    void allTransactionsHearThatTheyWereIdle() {
        assertThat(failed(seen(HELD, HELD, REST, 99, REST, 900, REST, 0))).containsExactly("idle-sessions.timed-out");
    }

    @Test
    void allBytesAndTransactionsMustBeGivenBack() {
        NodeFigures bytes = new NodeFigures(0, 1, 0, 0, 7, 10, HEAP);
        assertThat(failed(seen(HELD, HELD, REST, 100, bytes, 900, REST, 0)))
                .containsExactly("idle-sessions.left-bytes (idle too long)");
        assertThat(failed(seen(HELD, HELD, bytes, 100, REST, 900, bytes, 0)))
                .containsExactly("idle-sessions.left-bytes (rolled back)");
        NodeFigures twice = new NodeFigures(0, -1, 0, 0, 7, 10, HEAP);
        assertThat(failed(seen(HELD, HELD, REST, 100, REST, 900, twice, 0)))
                .containsExactly("idle-sessions.left-bytes (client gone)");
        NodeFigures open = new NodeFigures(1, 0, 0, 0, 7, 10, HEAP);
        assertThat(failed(seen(HELD, HELD, REST, 100, REST, 900, open, 0)))
                .containsExactly("idle-sessions.left-open (client gone)");
    }

    @Test
    void theHeapIsAsItWas() {
        NodeFigures larger = new NodeFigures(0, 0, 0, 0, 7, 10, HEAP + (1 << 20) + 1);
        assertThat(failed(seen(HELD, HELD, larger, 100, REST, 900, REST, 0))).containsExactly("idle-sessions.heap");
    }

    @Test
    void leasesOfDeadClientsEndSoon() {
        assertThat(failed(seen(HELD, HELD, REST, 100, REST, 2_001, REST, 0)))
                .containsExactly("idle-sessions.lease (silent)");
    }

    @Test
    void tablesMustBeRight() {
        assertThat(failed(seen(HELD, HELD, REST, 100, REST, 900, REST, 1))).containsExactly("idle-sessions.problems");
    }

    @Test
    void figuresAreReadAsANodeSaysThem() {
        NodeFigures figures = new NodeFigures(1, 2, 3, 4, 5, 6, 7);
        assertThat(NodeFigures.parse(figures.text())).isEqualTo(figures);
    }

    @Test
    void aLaterRunFindsThePairs() throws IOException {
        RatePair pair = pairs(0.987).getFirst();
        new PairLedger(folder, "this way").note(pair);
        assertThat(new PairLedger(folder, "this way").pairs()).containsExactly(pair);
        assertThat(new PairLedger(folder, "another way").pairs()).isEmpty();
    }

    @Test
    void theIntervalHasTheMean() {
        MeanRatio same = MeanRatio.of(List.of(0.5, 0.5));
        assertThat(same.lowest()).isEqualTo(same.mean()).isEqualTo(same.highest());
        MeanRatio wide = MeanRatio.of(List.of(0.5, 2.0, 0.5, 2.0));
        assertThat(wide.mean()).isBetween(0.999, 1.001);
        assertThat(wide.lowest()).isBetween(0.49, 0.8);
        assertThat(wide.highest()).isBetween(1.2, 2.01);
    }
}
