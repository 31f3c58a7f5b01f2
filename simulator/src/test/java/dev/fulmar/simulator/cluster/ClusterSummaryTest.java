package dev.fulmar.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.simulator.verify.ProbeCounts;
import dev.fulmar.sql.SqlCompiler;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterSummaryTest {
    private static final long MINUTE_NANOS = 60_000_000_000L;

    private final ClusterCampaign campaign =
            new ClusterCampaign(new SqlCompiler(), MINUTE_NANOS, 0, null, report -> {});

    private void add(int seeds, long nanosEach, List<String> paths) {
        for (int seed = 1; seed <= seeds; seed++) {
            ProbeCounts probes = new ProbeCounts();
            paths.forEach(probes::reached);
            campaign.add(new ClusterCampaign.Result(
                    new ClusterReport(
                            seed,
                            "",
                            seed,
                            1,
                            nanosEach,
                            1,
                            1,
                            probes,
                            MoveTally.NONE,
                            List.of(),
                            List.of(),
                            List.of()),
                    false,
                    false));
        }
    }

    @Test
    void aLongCampaignMustHaveReachedEveryPath() {
        List<String> all = ClusterPath.names();
        add(100, MINUTE_NANOS, all.subList(1, all.size()));
        assertThat(ClusterSummary.of(campaign).missingPaths()).containsExactly(all.getFirst());
        assertThat(ClusterSummary.of(campaign).passed()).isFalse();
        add(1, MINUTE_NANOS, all);
        assertThat(ClusterSummary.of(campaign).passed()).isTrue();
    }

    @Test
    void ofFewSeedsHoweverLongNoPathIsAskedFor() {
        add(99, 10 * MINUTE_NANOS, List.of());
        assertThat(ClusterSummary.of(campaign).passed()).isTrue();
    }

    @Test
    void ofShortSeedsNoPathIsAskedFor() {
        add(200, MINUTE_NANOS / 10, List.of());
        assertThat(ClusterSummary.of(campaign).passed()).isTrue();
    }
}
