package dev.fulmar.benchmarks.reconfiguration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.experiment.Findings;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CellJudgeTest {
    private static final Cell HOT = new Cell(Scenario.YCSB_HOT_SPOT, 1, 1, true);
    private static final Cell SHUFFLE = new Cell(Scenario.SHUFFLE, 2, 1, true);
    private static final Cell UNCAPPED = new Cell(Scenario.YCSB_HOT_SPOT, 1, 1, false);
    private static final CellResult GOOD = result(1_000, 200, 190, 950, 0.6);

    private static CellResult result(double balanced, double before, double worst, double after, double processor) {
        return new CellResult(
                20,
                new CellResult.Windows(balanced, before, before, after),
                new CellResult.Windows(processor, processor / 2, processor / 2, processor),
                new CellResult.Move(3, 9, 6.5, 12, worst, 7, 87, 90_000, 30),
                new CellResult.Pauses(
                        List.of(10.0, 20.0, 49.0), List.of(9.0, 18.0, 40.0), List.of(5.0, 8.0), List.of()),
                List.of(new LoadRun.Second(1, 2, 0, 3, 4, 0.5)),
                Map.of("node 1 site-0", new CellResult.Windows(0.05, 0.05, 0.05, 0.05)),
                List.of());
    }

    private static Map<String, Findings.Check> judged(Map<Cell, CellResult> results) {
        Map<String, CellResult> byName = new TreeMap<>();
        results.forEach((cell, result) -> byName.put(cell.text(), result));
        Findings findings = new Findings(LiveReconfiguration.NAME, true, "sync");
        new CellJudge(List.copyOf(results.keySet()), byName, List.of()).report(findings);
        Map<String, Findings.Check> checks = new TreeMap<>();
        findings.checks().forEach(check -> checks.put(check.name(), check));
        return checks;
    }

    private static Findings.Check check(Map<String, Findings.Check> checks, String name) {
        return Objects.requireNonNull(checks.get(name), name);
    }

    @Test
    void aGoodCellMeetsAllGoals() {
        Map<String, Findings.Check> checks = judged(Map.of(HOT, GOOD));

        assertThat(checks.values()).allMatch(Findings.Check::passed);
        assertThat(check(checks, "reconfiguration.after (ycsb-hot-spot, k=0)").measured())
                .isEqualTo(0.95);
        assertThat(check(checks, "reconfiguration.worst-second (ycsb-hot-spot, k=0)")
                        .measured())
                .isEqualTo(0.95);
        assertThat(check(checks, "reconfiguration.hand-off-p99 (ycsb-hot-spot, k=0)")
                        .measured())
                .isEqualTo(49);
        assertThat(check(checks, "reconfiguration.hand-off-longest (ycsb-hot-spot, k=0)")
                        .measured())
                .isEqualTo(40);
        assertThat(check(checks, "reconfiguration.start-lock-p99 (ycsb-hot-spot, k=0)")
                        .measured())
                .isEqualTo(8);
    }

    @Test
    void aBusyMachineVoidsACell() {
        CellResult busy = result(1_000, 200, 190, 950, 0.71);

        assertThat(CellJudge.isVoid(HOT, busy)).isTrue();
        assertThat(judged(Map.of(HOT, busy)))
                .containsOnlyKeys("reconfiguration.cells", "reconfiguration.problems")
                .hasEntrySatisfying(
                        "reconfiguration.cells",
                        check -> assertThat(check.passed()).isFalse());
    }

    @Test
    void aHotSpotThatCostsLittleVoidsACell() {
        assertThat(CellJudge.isVoid(HOT, result(1_000, 510, 500, 1_000, 0.6))).isTrue();
        assertThat(CellJudge.isVoid(SHUFFLE, result(1_000, 510, 500, 510, 0.6))).isFalse();
    }

    @Test
    void aCellThatBrokeOffIsAProblem() {
        Findings findings = new Findings(LiveReconfiguration.NAME, true, "sync");
        new CellJudge(List.of(HOT, SHUFFLE), Map.of(HOT.text(), GOOD), List.of("shuffle-k1-1 broke off: it waits"))
                .report(findings);

        assertThat(findings.checks().stream().filter(check -> !check.passed()).map(Findings.Check::name))
                .containsExactly("reconfiguration.cells", "reconfiguration.problems");
    }

    @Test
    void theUncappedCellIsShownOnly() {
        CellResult free = result(1_000, 1_500, 100, 400, 1);

        assertThat(CellJudge.isVoid(UNCAPPED, free)).isFalse();
        assertThat(judged(Map.of(UNCAPPED, free)))
                .containsOnlyKeys("reconfiguration.cells", "reconfiguration.problems")
                .allSatisfy((name, check) -> assertThat(check.passed()).isTrue());
    }

    @Test
    void theWorstRepeatCounts() {
        Cell second = new Cell(Scenario.YCSB_HOT_SPOT, 1, 2, true);
        Map<String, Findings.Check> checks = judged(Map.of(HOT, GOOD, second, result(1_000, 300, 150, 850, 0.5)));

        assertThat(check(checks, "reconfiguration.hot-spot (ycsb-hot-spot, k=0)")
                        .measured())
                .isEqualTo(0.3);
        assertThat(check(checks, "reconfiguration.worst-second (ycsb-hot-spot, k=0)")
                        .measured())
                .isEqualTo(0.5);
        assertThat(check(checks, "reconfiguration.after (ycsb-hot-spot, k=0)").passed())
                .isFalse();
    }

    @Test
    void loadsWithoutAHotSpotAreNotComparedWithTheirCapacity() {
        assertThat(judged(Map.of(SHUFFLE, result(1_000, 550, 540, 550, 0.6))).keySet())
                .noneMatch(name -> name.startsWith("reconfiguration.after") || name.startsWith("reconfiguration.hot"));
    }

    @Test
    void resultsGoThroughTheLedger() {
        assertThat(CellResult.ofJson(GOOD.json())).isEqualTo(GOOD);
    }

    @Test
    void thereAreThreeRepeatsOfEachCellAndOneUncapped() {
        List<Cell> all = Cell.all(false);

        assertThat(all).hasSize(Scenario.values().length * 2 * 3 + 1).doesNotHaveDuplicates();
        assertThat(all.stream().map(Cell::text)).doesNotHaveDuplicates().contains("tpcc-hot-warehouses-k1-3");
        assertThat(Cell.all(true)).hasSize(9);
    }
}
