package dev.fulmar.simulator.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.simulator.verify.ProbeCounts;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CampaignSummaryTest {
    private static final SeedReport BAD =
            new SeedReport(17, "a scenario", 1, 2, 3, 4, 5, new ProbeCounts(), List.of("a breach"));

    private static CampaignSummary summary(List<String> missing, List<Long> different, List<SeedReport> bad) {
        return new CampaignSummary(200, 10, 1000, 9000, Map.of(), missing, different, bad);
    }

    @Test
    void aBreachFailsAndTellsHowToSeeItAgain() {
        CampaignSummary summary = summary(List.of(), List.of(), List.of(BAD));

        assertThat(summary.passed()).isFalse();
        assertThat(summary.lines())
                .contains("seed 17 failed; replay it with: bin/fulmar simulate --one-node --seed 17");
        assertThat(summary.asMap().get("failures"))
                .isEqualTo(List.of(Map.of("seed", 17L, "scenario", "a scenario", "violations", List.of("a breach"))));
    }

    @Test
    void aRunThatDoesNotRepeatFails() {
        assertThat(summary(List.of(), List.of(3L), List.of()).passed()).isFalse();
    }

    @Test
    void aRarePathThatNoRunReachedFails() {
        assertThat(summary(List.of("WOUND"), List.of(), List.of()).passed()).isFalse();
    }

    @Test
    void aGoodOnePasses() {
        assertThat(summary(List.of(), List.of(), List.of()).passed()).isTrue();
    }
}
