package dev.fulmar.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.simulator.verify.ProbeCounts;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeedLedgerTest {
    private static ClusterReport report(long seed, long committed, List<String> violations) {
        return new ClusterReport(
                seed,
                "any",
                1,
                2,
                60_000_000_000L,
                5,
                committed,
                new ProbeCounts(),
                MoveTally.NONE,
                violations,
                List.of(),
                List.of());
    }

    @Test
    void hoursAddUpOverRunsOfTheSameCode(@TempDir Path folder) {
        Path file = folder.resolve("seeds.csv");
        SeedLedger ledger = new SeedLedger(file, "one");
        ledger.add(report(1, 6_000, List.of()));
        ledger.add(report(1, 6_000, List.of())); // once more
        ledger.add(report(2, 6_000, List.of("lost")));
        ledger.add(report(3, 10, List.of())); // too little happened
        new SeedLedger(file, "other").add(report(4, 6_000, List.of()));

        SeedLedger.Sum sum = new SeedLedger(file, "one").sum();
        assertThat(sum.seeds()).isEqualTo(3);
        assertThat(sum.counting()).isEqualTo(2);
        assertThat(sum.failed()).isEqualTo(1);
        assertThat(sum.hours()).isBetween(0.033, 0.034);
    }
}
