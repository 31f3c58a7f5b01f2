package dev.fulmar.benchmarks.moving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadWindow;
import dev.fulmar.benchmarks.experiment.ControlStalls;
import dev.fulmar.benchmarks.experiment.Findings;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class WindowJudgeTest {
    private static final long MILLI = 1_000_000;
    private static final int REQUESTS = 10_000;
    private static final long ROWS = 1_000;
    private static final long ROW_BYTES = 1_000;
    private static final MoveCase USUAL = new MoveCase(1, "", "", "");

    private ControlStalls stalls = new ControlStalls(List.of());

    /** A window in which so many requests took long. */
    private WindowFigures window(long usualMillis, int slow, long slowMillis, int failed, long writtenBytes) {
        Histogram latencies = new Histogram(3);
        latencies.recordValueWithCount(usualMillis * MILLI, REQUESTS - slow - failed);
        List<LoadWindow.Slow> all = new ArrayList<>();
        for (int i = 0; i < slow; i++) {
            latencies.recordValue(slowMillis * MILLI);
            all.add(new LoadWindow.Slow(0, slowMillis * MILLI));
        }
        TreeMap<String, LoadReport.Failure> failures = new TreeMap<>();
        if (failed > 0) {
            failures.put("SERVER_BUSY", new LoadReport.Failure(failed, "later"));
        }
        return WindowFigures.of(
                new LoadWindow(10, REQUESTS, REQUESTS - failed, failures, latencies, all),
                stalls,
                new NodeWrites(writtenBytes, 0, 0, 0, 0, 0, 0, 0),
                10);
    }

    private static WindowPair pair(WindowFigures moving, WindowFigures quiet, double moveSeconds) {
        return new WindowPair(1, true, moving, quiet, moveSeconds, ROWS, ROW_BYTES, ROWS * ROW_BYTES, 20, List.of());
    }

    private static List<String> failed(MoveCase moveCase, WindowPair... pairs) {
        Findings findings = new Findings("moving-windows", true, "sync");
        WindowJudge.report(findings, moveCase, 1, List.of(pairs));
        assertThat(findings.asMap()).as("all figures can be shown").isNotEmpty();
        return findings.checks().stream()
                .filter(check -> !check.passed())
                .map(Findings.Check::name)
                .toList();
    }

    private WindowFigures quiet() {
        return window(2, 0, 0, 0, 1_000_000);
    }

    @Test
    void passesAtTheGoals() {
        assertThat(failed(USUAL, pair(window(11, 10, 1_000, 0, 3_500_000), quiet(), 120)))
                .isEmpty();
    }

    @Test
    void anErrorFails() {
        assertThat(failed(USUAL, pair(window(2, 0, 0, 1, 1_000_000), quiet(), 10)))
                .containsExactly("moving-windows.errors");
    }

    @Test
    void tooManyLateRequestsFail() {
        assertThat(failed(USUAL, pair(window(2, 11, 260, 0, 1_000_000), quiet(), 10)))
                .containsExactly("moving-windows.in-time");
    }

    @Test
    void aFailedRequestIsNotInTime() {
        assertThat(window(2, 0, 0, 3, 0).answeredInTime()).isEqualTo(REQUESTS - 3);
    }

    @Test
    void whatTheMachineStalledIsNotCounted() {
        stalls = new ControlStalls(List.of(new ControlStalls.Stall(0, 0, 200 * MILLI)));
        assertThat(failed(USUAL, pair(window(2, 1, 1_150, 0, 1_000_000), quiet(), 10)))
                .isEmpty();
        assertThat(failed(USUAL, pair(window(2, 1, 1_250, 0, 1_000_000), quiet(), 10)))
                .containsExactly("moving-windows.longest");
    }

    @Test
    void aHighPercentileFails() {
        assertThat(failed(USUAL, pair(window(13, 0, 0, 0, 1_000_000), quiet(), 10)))
                .containsExactly(
                        "moving-windows.p99 (median of the pairs)", "moving-windows.p99 (all windows together)");
        WindowFigures slowQuiet = window(30, 0, 0, 0, 1_000_000);
        assertThat(failed(USUAL, pair(window(59, 0, 0, 0, 1_000_000), slowQuiet, 10)))
                .isEmpty();
    }

    @Test
    void aLongMoveFails() {
        assertThat(failed(USUAL, pair(quiet(), quiet(), 120.1))).containsExactly("moving-windows.move");
    }

    @Test
    void bytesBeyondThoseOfTheQuietWindowCountForEachCopy() {
        WindowPair pair = pair(window(2, 0, 0, 0, 3_600_000), quiet(), 10);
        assertThat(pair.writtenByMove()).isEqualTo(2_600_000);
        assertThat(failed(USUAL, pair)).containsExactly("moving-windows.written");
        assertThat(failed(new MoveCase(2, "", "", ""), pair)).isEmpty();
    }

    @Test
    void aLongerTimeIsComparedWithAsMuchQuietTime() {
        WindowFigures moving = window(2, 0, 0, 0, 3_000_000);
        WindowFigures longer = new WindowFigures(
                moving.seconds(),
                moving.offered(),
                moving.failures(),
                moving.answeredInTime(),
                moving.longestMillis(),
                moving.longestExcessMillis(),
                moving.latencies(),
                moving.written(),
                20);
        assertThat(pair(longer, quiet(), 10).writtenByMove()).isEqualTo(1_000_000);
    }

    @Test
    void problemsAndMissingPairsFail() {
        WindowPair wrong = new WindowPair(
                1, true, quiet(), quiet(), 10, ROWS, ROW_BYTES, ROWS * ROW_BYTES, 20, List.of("a row is missing"));
        assertThat(failed(USUAL, wrong)).containsExactly("moving-windows.problems");
        assertThat(failed(USUAL)).contains("moving-windows.pairs", "moving-windows.longest", "moving-windows.move");
    }

    @Test
    void aMoveOfNothingMeetsNoGoalOfBytes() {
        WindowPair nothing = new WindowPair(1, true, quiet(), quiet(), 10, 0, ROW_BYTES, 0, 0, List.of());
        assertThat(failed(USUAL, nothing)).containsExactly("moving-windows.written");
    }

    @Test
    void theKernelsCountIsRead() {
        assertThat(NodeWrites.pageBytes(List.of("wchar: 12", "write_bytes: 4096", "cancelled_write_bytes: 7")))
                .isEqualTo(4_096);
        assertThat(new NodeWrites(1, 2, 3, 4, 5, 6, 7, 100).total())
                .as("pages are counted otherwise")
                .isEqualTo(28);
    }
}
