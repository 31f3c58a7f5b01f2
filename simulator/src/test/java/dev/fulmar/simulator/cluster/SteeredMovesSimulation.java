package dev.fulmar.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.simulator.crash.PlanCache;
import dev.fulmar.simulator.verify.ProbeCounts;
import dev.fulmar.sql.SqlCompiler;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Runs of clusters whose faults wait for certain steps of moves; beside {@link ClusterSimulation} in a build. */
class SteeredMovesSimulation {
    private static final long RUN_NANOS = 7_000_000_000L;
    private static final int MOST_ROUNDS = 6;

    /** Seeds with moves go round them, each second one a shape of moves. */
    private static final int SHAPES = 10;

    private final PlanCache sql = new PlanCache(new SqlCompiler());

    /**
     * Where the faults of a seed meet a move follows from the sizes of procedures' classes, so from the compiler. A
     * shape has further seeds until one has met.
     */
    @Test
    void steeredFaultsAtMovesShowNothing() {
        ProbeCounts probes = new ProbeCounts();
        Set<Shape> unmet = EnumSet.of(Shape.MOVE_STRUCK, Shape.MOVE_LATE, Shape.MOVE_REBUILT);
        for (int round = 0;
                round < MOST_ROUNDS && !(unmet.isEmpty() && missing(probes).isEmpty());
                round++) {
            for (Shape shape : unmet.isEmpty() ? EnumSet.of(Shape.MOVE_LATE) : EnumSet.copyOf(unmet)) {
                ClusterReport report = run(shape, round);
                assertThat(report.moves().ended()).isPositive();
                if (report.moves().struck() > 0) {
                    unmet.remove(shape);
                }
                probes.add(report.probes());
            }
        }
        assertThat(unmet).isEmpty();
        assertThat(missing(probes)).isEmpty();
    }

    private ClusterReport run(Shape shape, int round) {
        long number = 2L * (shape.ordinal() - Shape.MOVE_STRUCK.ordinal()) + (long) SHAPES * round;
        assertThat(Shape.numbered(number, Theme.MOVES)).isEqualTo(shape);
        ClusterReport report = new ClusterRun(ClusterRun.FIRST_STEERED_WITH_MOVES + number, RUN_NANOS, null, sql).run();
        ClusterSimulation.assertGood(report);
        return report;
    }

    private static List<String> missing(ProbeCounts probes) {
        return probes.missing(List.of(
                ClusterPath.RECONFIGURED.name(),
                ClusterPath.COPY_REBUILT.name(),
                PlanOperator.REFUSAL_SHOWN,
                HandOffWatch.COMPARED));
    }
}
