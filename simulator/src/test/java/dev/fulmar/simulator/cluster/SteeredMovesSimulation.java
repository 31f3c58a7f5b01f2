package dev.fulmar.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.simulator.crash.PlanCache;
import dev.fulmar.simulator.verify.ProbeCounts;
import dev.fulmar.sql.SqlCompiler;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs of clusters whose faults wait for certain steps of moves; beside {@link ClusterSimulation} in a build. */
class SteeredMovesSimulation {
    private static final long RUN_NANOS = 7_000_000_000L;

    private final PlanCache sql = new PlanCache(new SqlCompiler());

    @Test
    void steeredFaultsAtMovesShowNothing() {
        ProbeCounts probes = new ProbeCounts();
        for (Shape shape : List.of(Shape.MOVE_STRUCK, Shape.MOVE_LATE, Shape.MOVE_REBUILT)) {
            long number = 2L * (shape.ordinal() - Shape.MOVE_STRUCK.ordinal());
            assertThat(Shape.numbered(number, Theme.MOVES)).isEqualTo(shape);
            ClusterReport report =
                    new ClusterRun(ClusterRun.FIRST_STEERED_WITH_MOVES + number, RUN_NANOS, null, sql).run();
            ClusterSimulation.assertGood(report);
            assertThat(report.moves().ended()).isPositive();
            assertThat(report.moves().struck()).as(shape.toString()).isPositive();
            probes.add(report.probes());
        }
        assertThat(probes.missing(List.of(
                        ClusterPath.RECONFIGURED.name(),
                        ClusterPath.COPY_REBUILT.name(),
                        PlanOperator.REFUSAL_SHOWN,
                        HandOffWatch.COMPARED)))
                .isEmpty();
    }
}
