package dev.fulmar.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.random.real.SystemSeed;
import dev.fulmar.simulator.crash.PlanCache;
import dev.fulmar.simulator.verify.ProbeCounts;
import dev.fulmar.sql.SqlCompiler;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Runs of clusters that fit into a build. */
class ClusterSimulation {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final int SEEDS = 8;
    private static final int STEERED_SEEDS = 6;
    private static final int MOVING_SEEDS = 4;

    /** Seeds go round what beside transactions happens in a run. */
    private static final long[] FIRST_OF_KINDS = {0, ClusterRun.FIRST_WITH_CHANGES, ClusterRun.FIRST_WITH_MOVES};

    /** As many as a build has time for, or as it is told. */
    private static final int FRESH_SEEDS = Integer.getInteger("fulmar.simulation.fresh-seeds", 40);

    private final PlanCache sql = new PlanCache(new SqlCompiler());

    private ClusterReport run(long seed) {
        return new ClusterRun(seed, 8 * SECOND_NANOS, null, sql).run();
    }

    static void assertGood(ClusterReport report) {
        assertThat(report.violations())
                .as("seed %d: %s\n%s", report.seed(), report.scenario(), String.join("\n", report.diary()))
                .isEmpty();
    }

    @Test
    void clustersLoseNothingAndGoOn() {
        ProbeCounts probes = new ProbeCounts();
        for (long seed = 1; seed <= SEEDS; seed++) {
            ClusterReport report = run(seed);
            assertGood(report);
            assertThat(report.committed()).isGreaterThan(100);
            probes.add(report.probes());
        }
        assertThat(probes.missing(List.of(
                        ClusterPath.ECHO.name(),
                        ClusterPath.FINALE.name(),
                        ClusterPath.FORWARDED.name(),
                        ClusterPath.RESTART.name(),
                        "FAULT_" + FaultKind.STRIKE_KILL)))
                .isEmpty();
    }

    @Test
    void freshSeedsShowNothingEither() throws Exception {
        long first = SEEDS + Long.remainderUnsigned(SystemSeed.draw(), ClusterRun.FIRST_WITH_CHANGES / 2);
        System.out.println("fresh seeds from: " + first);
        try (ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            List<Future<ClusterReport>> reports = LongStream.range(first, first + FRESH_SEEDS)
                    .map(seed -> seed + FIRST_OF_KINDS[(int) (seed % FIRST_OF_KINDS.length)])
                    .mapToObj(seed -> threads.submit(() -> run(seed)))
                    .toList();
            for (Future<ClusterReport> report : reports) {
                assertGood(report.get());
            }
        }
    }

    @Test
    void steeredFaultsShowNothing() {
        int faults = 0;
        for (long seed = 1; seed <= STEERED_SEEDS; seed++) {
            ClusterReport report = steered(ClusterRun.FIRST_STEERED + seed);
            assertGood(report);
            faults += report.faults();
        }
        assertGood(steered(ClusterRun.FIRST_STEERED_WITH_CHANGES + 1));
        assertThat(faults).isGreaterThan(10 * STEERED_SEEDS);
        ClusterReport again = steered(ClusterRun.FIRST_STEERED + 1);
        assertThat(again.hash()).isEqualTo(steered(ClusterRun.FIRST_STEERED + 1).hash());
    }

    /**
     * Changes of the catalog are made again after fail-overs. In the first seed a copy that joined went back to a
     * version while an earlier change of it waited; in the second a client's change stood before a version that
     * counted. In the third the rows of a table with many columns had more values than a statement takes when they were
     * placed anew.
     */
    @Test
    void changesOfTheCatalogComeThroughFailOvers() {
        assertGood(steered(ClusterRun.FIRST_STEERED_WITH_CHANGES + 315));
        assertGood(steered(ClusterRun.FIRST_STEERED_WITH_CHANGES + 455));
        assertGood(run(ClusterRun.FIRST_WITH_CHANGES + 109_426));
    }

    /** Keys move while nodes end and links break. */
    @Test
    void keysMoveWhileThingsGoWrong() {
        ProbeCounts probes = new ProbeCounts();
        for (long seed = 1; seed <= MOVING_SEEDS; seed++) {
            ClusterReport report = run(ClusterRun.FIRST_WITH_MOVES + seed);
            assertGood(report);
            probes.add(report.probes());
        }
        assertThat(probes.missing(List.of(ClusterPath.RECONFIGURED.name(), HandOffWatch.COMPARED)))
                .isEmpty();
    }

    /** Only a fault strikes a move. */
    @Test
    void aRunWithoutFaultsDoesNotCountWhereKeysMove() {
        ClusterReport report = new ClusterRun(ClusterRun.FIRST_WITH_MOVES + 1, 5 * SECOND_NANOS, Set.of(), sql).run();
        assertGood(report);
        assertThat(report.moves().isDue()).isTrue();
        assertThat(report.moves().ended()).isPositive();
        assertThat(report.moves().struck()).isZero();
        assertThat(report.counts()).isFalse();
    }

    private ClusterReport steered(long seed) {
        return new ClusterRun(seed, 7 * SECOND_NANOS, null, sql).run();
    }

    @Test
    void aSeedDecidesEverythingAndAnotherSeedSomethingElse() {
        ClusterReport first = run(5);
        ClusterReport again = run(5);
        assertThat(again.hash()).isEqualTo(first.hash());
        assertThat(again.events()).isEqualTo(first.events());
        assertThat(again.diary()).isEqualTo(first.diary());
        assertThat(run(6).hash()).isNotEqualTo(first.hash());
    }

    @Test
    void onlyTheChosenFaultsHappen() {
        ClusterReport none = new ClusterRun(5, 8 * SECOND_NANOS, Set.of(), sql).run();
        assertGood(none);
        assertThat(none.faults()).isZero();
        List<Fault> all = ClusterRun.faults(5, 8 * SECOND_NANOS);
        assertThat(all).isNotEmpty();
        int chosen = all.getFirst().number();
        ClusterReport one = new ClusterRun(5, 8 * SECOND_NANOS, Set.of(chosen), sql).run();
        assertThat(one.faults()).isLessThanOrEqualTo(1);
    }
}
