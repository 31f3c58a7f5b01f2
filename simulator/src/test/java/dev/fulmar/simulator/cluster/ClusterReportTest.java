package dev.fulmar.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.simulator.verify.ProbeCounts;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs that count in a campaign. */
class ClusterReportTest {
    private static final long MINUTE_NANOS = 60_000_000_000L;

    private static boolean counts(long nanos, int faults, long committed, MoveTally moves) {
        return new ClusterReport(
                        1,
                        "",
                        1,
                        1,
                        nanos,
                        faults,
                        committed,
                        new ProbeCounts(),
                        moves,
                        List.of(),
                        List.of(),
                        List.of())
                .counts();
    }

    @Test
    void commitsAndFaultsCountInProportion() {
        assertThat(counts(MINUTE_NANOS, 3, 5_000, MoveTally.NONE)).isTrue();
        assertThat(counts(20 * MINUTE_NANOS, 3, 5_000, MoveTally.NONE)).isTrue();
        assertThat(counts(MINUTE_NANOS, 2, 5_000, MoveTally.NONE)).isFalse();
        assertThat(counts(MINUTE_NANOS, 3, 4_999, MoveTally.NONE)).isFalse();
        assertThat(counts(MINUTE_NANOS / 2, 2, 2_500, MoveTally.NONE)).isTrue();
    }

    @Test
    void whereKeysMoveAReconfigurationEndedAndOneWasStruck() {
        assertThat(counts(MINUTE_NANOS, 3, 5_000, new MoveTally(true, 1, 1))).isTrue();
        assertThat(counts(MINUTE_NANOS, 3, 5_000, new MoveTally(true, 0, 1))).isFalse();
        assertThat(counts(MINUTE_NANOS, 3, 5_000, new MoveTally(true, 1, 0))).isFalse();
        assertThat(counts(MINUTE_NANOS, 2, 5_000, new MoveTally(true, 1, 1))).isFalse();
    }
}
