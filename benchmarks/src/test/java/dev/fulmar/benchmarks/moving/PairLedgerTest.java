package dev.fulmar.benchmarks.moving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadWindow;
import dev.fulmar.benchmarks.experiment.ControlStalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PairLedgerTest {
    private static final String WAY = "abc k=0";

    @TempDir
    private Path folder;

    private static WindowFigures window(long nanos) {
        Histogram latencies = new Histogram(3);
        latencies.recordValueWithCount(nanos, 1_000);
        return WindowFigures.of(
                new LoadWindow(
                        10,
                        1_001,
                        1_000,
                        new TreeMap<>(Map.of("SERVER_BUSY", new LoadReport.Failure(1, "a tab\tin it"))),
                        latencies,
                        List.of()),
                new ControlStalls(List.of()),
                new NodeWrites(1, 2, 3, 4, 5, 6, 7, 8),
                12);
    }

    @Test
    void aLaterRunFindsTheRateAndThePairsAsTheyWere() throws IOException {
        WindowPair pair = new WindowPair(
                1, true, window(5_000_000), window(3_000_000), 9.5, 100, 1_008, 200_000, 42, List.of("wrong"));
        PairLedger first = new PairLedger(folder, WAY);
        assertThat(first.ratePerSecond()).isEmpty();
        first.noteRate(1_234.5);
        first.note(pair);

        PairLedger later = new PairLedger(folder, WAY);
        assertThat(later.ratePerSecond()).hasValue(1_234.5);
        assertThat(later.pairs()).containsExactly(pair);
        assertThat(later.pairs().getFirst().shareOfAllowed()).isEqualTo(pair.shareOfAllowed());

        assertThat(new PairLedger(folder, "another way").pairs()).isEmpty();
    }
}
