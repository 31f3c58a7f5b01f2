package dev.fulmar.benchmarks.pgbench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.cluster.Percentile;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Figures of windows: percentiles, medians, and what a file of results keeps of them. */
class BenchWindowTest {
    private static final BenchCase CASE = new BenchCase(BenchCase.TPC_B, 8);

    private static BenchWindow window(BenchSystem system, int round, double perSecond) {
        return new BenchWindow(system, CASE, round, perSecond, 1, 2, 3, 0);
    }

    @Test
    void percentilesAreOfAllLatencies() {
        long[] latencies = LongStream.rangeClosed(1, 200).map(i -> 201 - i).toArray();

        BenchWindow window = BenchWindow.of(BenchSystem.FULMAR, CASE, 1, 20, latencies, 3);

        assertThat(window.p50Micros()).isEqualTo(100);
        assertThat(window.p99Micros()).isEqualTo(198);
        assertThat(window.transactions()).isEqualTo(203);
    }

    @Test
    void aFileKeepsAllFigures() {
        BenchWindow window = new BenchWindow(BenchSystem.POSTGRESQL, CASE, 4, 1234.5, 10, 20, 30, 1);

        assertThat(window.columns()).hasSize(BenchWindow.COLUMNS);
        assertThat(BenchWindow.parse(window.columns())).isEqualTo(window);
    }

    @Test
    void aWindowIsFoundByItsSystemCaseAndRound() {
        BenchWindow window = window(BenchSystem.FULMAR, 2, 1);

        assertThat(window.is(BenchSystem.FULMAR, CASE, 2)).isTrue();
        assertThat(window.is(BenchSystem.POSTGRESQL, CASE, 2)).isFalse();
        assertThat(window.is(BenchSystem.FULMAR, new BenchCase(BenchCase.TPC_B, 1), 2))
                .isFalse();
        assertThat(window.is(BenchSystem.FULMAR, CASE, 3)).isFalse();
    }

    @Test
    void readsAreNotAmongThoseThatMayFail() {
        List<BenchWindow> windows = List.of(
                new BenchWindow(BenchSystem.FULMAR, CASE, 1, 1, 2, 3, 200, 10),
                new BenchWindow(BenchSystem.FULMAR, new BenchCase(BenchCase.SELECT_ONLY, 8), 1, 1, 2, 3, 9_800, 0),
                new BenchWindow(BenchSystem.POSTGRESQL, CASE, 1, 1, 2, 3, 800, 0));

        assertThat(PgbenchRivals.failedShare(windows)).isEqualTo(0.05);
    }

    @Test
    void theMedianIsTheOneInTheMiddle() {
        List<BenchWindow> windows = List.of(
                window(BenchSystem.FULMAR, 1, 30),
                window(BenchSystem.FULMAR, 2, 10),
                window(BenchSystem.FULMAR, 3, 20));

        assertThat(Percentile.median(windows, BenchWindow::perSecond)).isEqualTo(20);
    }
}
