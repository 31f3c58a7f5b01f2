package dev.fulmar.simulator.reconfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.ResultLedger;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.random.SeededRandom;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReconfigurationKillsTest {
    private static final Set<Strike.Kind> ALL = EnumSet.allOf(Strike.Kind.class);
    private static final RoundResult.Times TIMES = new RoundResult.Times(700, 6_500, 90, 400, 450);

    private static List<Strike> draw(long seed) {
        return new StrikeSource(new SeededRandom(seed)).draw(StrikeSource.planned(false));
    }

    private static RoundResult round(int number, Strike.Kind kind, boolean isStruck, String... problems) {
        return new RoundResult(
                number,
                kind,
                2,
                isStruck,
                TIMES,
                3,
                4,
                500,
                Map.of(ErrorCode.TIMEOUT, 2L, ErrorCode.USER_ABORT, 9L),
                List.of(problems));
    }

    @Test
    void aThirdOfTheKillsStrikesEachRole() {
        Map<Strike.Kind, Integer> drawn = new EnumMap<>(Strike.Kind.class);
        draw(1).forEach(strike -> drawn.merge(strike.kind(), 1, Integer::sum));

        assertThat(drawn)
                .isEqualTo(Map.of(
                        Strike.Kind.LEADER, 34,
                        Strike.Kind.SOURCE, 33,
                        Strike.Kind.DESTINATION, 33,
                        Strike.Kind.POWER_CUT, 10,
                        Strike.Kind.ZOOKEEPER, 10));
    }

    @Test
    void theSeedDecides() {
        assertThat(draw(1)).isEqualTo(draw(1)).isNotEqualTo(draw(2));
    }

    @Test
    void strikesHaveTheirBounds() {
        assertThat(draw(3)).allSatisfy(strike -> {
            assertThat(strike.moment()).isBetween(0.0, 1.0);
            switch (strike.kind()) {
                case LEADER, SOURCE, DESTINATION ->
                    assertThat(strike.millisDown()).isBetween(0, 4_000);
                case POWER_CUT -> assertThat(strike.millisDown()).isBetween(0, 1_000);
                case ZOOKEEPER -> assertThat(strike.millisDown()).isBetween(1_000, 10_000);
            }
        });
    }

    @Test
    void roundsThatWereToldAreNotLeft() {
        List<Strike> strikes = List.of(
                new Strike(Strike.Kind.LEADER, 0.5, 0),
                new Strike(Strike.Kind.POWER_CUT, 0.5, 0),
                new Strike(Strike.Kind.SOURCE, 0.5, 0),
                new Strike(Strike.Kind.POWER_CUT, 0.6, 0));
        Map<Integer, RoundResult> told =
                Map.of(1, round(1, Strike.Kind.LEADER, true), 4, round(4, Strike.Kind.POWER_CUT, true));

        assertThat(ReconfigurationKills.left(strikes, told, ALL, false))
                .containsExactly(new Chapter.Numbered(3, strikes.get(2)));
        assertThat(ReconfigurationKills.left(strikes, told, ALL, true))
                .containsExactly(new Chapter.Numbered(2, strikes.get(1)));
        assertThat(ReconfigurationKills.left(strikes, told, EnumSet.of(Strike.Kind.LEADER), false))
                .isEmpty();
    }

    @Test
    void partsAreChosenByName() {
        assertThat(ReconfigurationKills.wanted(Set.of())).isEqualTo(ALL);
        assertThat(ReconfigurationKills.wanted(Set.of("power-cut", "source")))
                .containsExactly(Strike.Kind.SOURCE, Strike.Kind.POWER_CUT);
        assertThatThrownBy(() -> ReconfigurationKills.wanted(Set.of("sorce"))).hasMessageContaining("zookeeper");
    }

    @Test
    void aRoundIsFoundInTheLedgerAsItWas(@TempDir Path directory) throws Exception {
        List<RoundResult> rounds = List.of(
                round(1, Strike.Kind.ZOOKEEPER, true),
                round(2, Strike.Kind.SOURCE, false, "an order is gone", "a copy differs"),
                RoundResult.broken(3, Strike.Kind.LEADER, "a node did not start"));
        ResultLedger ledger = new ResultLedger(directory, "rounds", "code", RoundResult.COLUMNS);
        for (RoundResult each : rounds) {
            ledger.add(each.columns());
        }

        assertThat(ledger.lines().stream().map(RoundResult::of)).isEqualTo(rounds);
    }

    @Test
    void aDrawnPlanMovesAWarehouseAndSaysWhere() {
        Map<Integer, Integer> before = Map.of(1, 0, 2, 1, 3, 2, 4, 0);
        SeededRandom random = new SeededRandom(5);
        boolean hasRanges = false;
        for (int i = 0; i < 100; i++) {
            WantedPlan plan = WantedPlan.draw(before, 4, random);
            assertThat(plan.moving(before)).isNotEmpty();
            hasRanges |= !plan.quarters().isEmpty();
        }
        assertThat(hasRanges).isTrue();
    }

    @Test
    void aSingleKeyOutranksTheRangeAroundIt() {
        WantedPlan plan = new WantedPlan(Map.of(1, 3), List.of(2, 2, 2, 2));

        assertThat(plan.ownersAfter(Map.of(1, 0, 2, 1))).isEqualTo(Map.of(1, 3, 2, 2));
        assertThat(plan.moving(Map.of(1, 0, 2, 1))).isEqualTo(Map.of(0, List.of(1), 1, List.of(2)));
        assertThat(plan.document())
                .isEqualTo("{\"plan\": {\"*\": {\"Partition 2\": [\"[#0000000000000000-#4000000000000000)\","
                        + " \"[#4000000000000000-#8000000000000000)\", \"[#8000000000000000-#c000000000000000)\","
                        + " \"[#c000000000000000-)\"], \"Partition 3\": [\"1\"]}}}");
    }

    @Test
    void movesAreReadFromTheStatus() {
        assertThat(
                        NodeViews.moves(
                                "bucket 3 from partition P1 to P0; cutting bucket 2 of partition P2; bucket 12 from partition P10 to P3"))
                .containsExactly(new NodeViews.Move(1, 0), new NodeViews.Move(10, 3));
        assertThat(NodeViews.moves("")).isEmpty();
    }

    @Test
    void gapsAreOfAllWarehousesTogetherAndOfEach() {
        CommitGaps gaps = new CommitGaps(2, 1_000);
        gaps.committed(1, 900);
        gaps.committed(1, 1_100);
        gaps.committed(2, 1_300);
        gaps.committed(1, 1_600);
        gaps.end(1_700);

        assertThat(gaps.longestNanos()).isEqualTo(300);
        assertThat(gaps.longestOfAWarehouseNanos()).isEqualTo(500);
    }

    @Test
    void aWarehouseWithoutCommitsHasAGapToTheEnd() {
        CommitGaps gaps = new CommitGaps(2, 0);
        gaps.committed(1, 500);
        gaps.end(900);

        assertThat(gaps.longestOfAWarehouseNanos()).isEqualTo(900);
    }

    private static boolean passes(List<RoundResult> rounds) {
        Findings findings = new Findings("reconfiguration-kills", true, "sync");
        RoundJudge.report(findings, Map.of(Strike.Kind.LEADER, 2), rounds);
        return findings.passed();
    }

    @Test
    void aCampaignPassesOnlyWithAllRoundsStruckAndGood() {
        RoundResult good = round(1, Strike.Kind.LEADER, true);
        RoundResult tooLate = round(2, Strike.Kind.LEADER, false);

        assertThat(passes(List.of(good, good))).isTrue();
        assertThat(passes(List.of(good, tooLate))).isTrue();
        assertThat(passes(List.of(tooLate, tooLate))).isFalse();
        assertThat(passes(List.of(good))).isFalse();
        assertThat(passes(List.of(good, round(2, Strike.Kind.LEADER, true, "a row is lost"))))
                .isFalse();
    }

    @Test
    void aReconfigurationThatDoesNotEndInTimeFails() {
        List<RoundResult> rounds = new ArrayList<>(List.of(round(1, Strike.Kind.LEADER, true)));
        RoundResult late = new RoundResult(
                2,
                Strike.Kind.LEADER,
                1,
                true,
                new RoundResult.Times(700, 6_500, 30_001, 400, 450),
                1,
                1,
                500,
                Map.of(),
                List.of());
        rounds.add(late);

        assertThat(passes(rounds)).isFalse();
    }

    @Test
    void aRoundThatBrokeIsBad() {
        assertThat(RoundResult.broken(1, Strike.Kind.LEADER, "why").isGood()).isFalse();
    }

    @Test
    void lossesOfANodeAreExpectedAndOtherErrorsAreNot() {
        assertThat(List.of(ErrorCode.TIMEOUT, ErrorCode.NODE_LOST, ErrorCode.NOT_CONNECTED, ErrorCode.USER_ABORT))
                .allMatch(Round::isExpected);
        assertThat(List.of(
                        ErrorCode.INTERNAL,
                        ErrorCode.UNKNOWN_PROCEDURE,
                        ErrorCode.UNIQUE_VIOLATION,
                        ErrorCode.MEMORY_LIMIT))
                .noneMatch(Round::isExpected);
    }
}
