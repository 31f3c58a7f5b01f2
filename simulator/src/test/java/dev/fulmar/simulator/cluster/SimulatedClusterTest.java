package dev.fulmar.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.Replication;
import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.ClusterState;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.simulator.crash.PlanCache;
import dev.fulmar.simulator.verify.ProbeCounts;
import dev.fulmar.sql.SqlCompiler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulatedClusterTest {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final StateKey.Partition FIRST = new StateKey.Partition(new PartitionId(0));

    private final SimulatedWorld world = new SimulatedWorld(3);
    private final ProbeCounts probes = new ProbeCounts();
    private final List<String> violations = new ArrayList<>();
    private final SimulatedCluster cluster = new SimulatedCluster(
            world,
            ClusterScenario.draw(world.random("scenario"), false),
            new PlanCache(new SqlCompiler()),
            probes,
            violations::add);

    private void found() {
        cluster.found();
        assertThat(cluster.comesTo(cluster::allInSync, 30 * SECOND_NANOS)).isTrue();
    }

    /** Of somebody who writes what a primary would. */
    private ClusterState store() {
        ClusterState state = cluster.store().connect(world.startProcess(new NodeId(99)));
        world.runFor(SECOND_NANOS);
        return state;
    }

    @Test
    void noNodeIsSparedThatHasJustSentThatItIsTheOnlyOne() {
        found();
        Versioned<PartitionRecord> before = cluster.store().current(FIRST);
        PartitionRecord record = before.record();
        assertThat(record).isNotNull();
        CopyId primary = record.primary();
        assertThat(cluster.canSpare(primary.node())).isTrue();
        List<ChangeOutcome<Versioned<PartitionRecord>>> outcomes = new ArrayList<>();
        store().compareAndSet(
                        FIRST,
                        before,
                        new PartitionRecord(record.epoch(), primary, record.incarnation(), List.of(primary)),
                        outcomes::add);
        assertThat(cluster.canSpare(primary.node())).isFalse();
        assertThat(cluster.store().current(FIRST)).isEqualTo(before);
        cluster.abandon();
    }

    /** It would be tried again for ever, and only the log would tell. */
    @Test
    void aNodeThatCannotMakeAChangeThatCountsIsAViolation() {
        NodeId node = new NodeId(2);
        cluster.reached(node, "leadership: promotion");
        assertThat(violations).isEmpty();
        cluster.reached(node, Replication.CHANGE_HINDERED + ErrorCode.UNIQUE_VIOLATION);
        assertThat(violations)
                .singleElement()
                .asString()
                .contains(node.toString())
                .contains("UNIQUE_VIOLATION");
    }

    @Test
    void pathsAreNotedWhereTheyAreTaken() {
        found();
        assertThat(probes.count(ClusterPath.RESTART.name())).isZero();
        cluster.kill(new NodeId(1), false);
        cluster.startLater(new NodeId(1), 0);
        world.runFor(SECOND_NANOS);
        assertThat(probes.count(ClusterPath.RESTART.name())).isEqualTo(1);
        cluster.kill(new NodeId(1), false);
        cluster.wipe(new NodeId(1));
        cluster.startLater(new NodeId(1), 0);
        world.runFor(SECOND_NANOS);
        assertThat(probes.count(ClusterPath.RESTART.name())).isEqualTo(1);
        cluster.abandon();
        assertThat(violations).isEmpty();
    }
}
