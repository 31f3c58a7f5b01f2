package dev.fulmar.reconfig.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.reconfiguration.PrimaryNodes;
import dev.fulmar.engine.partition.counter.LatencyHistogram;
import dev.fulmar.engine.partitioning.MovePace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.reconfig.peer.FixedPlans;
import dev.fulmar.reconfig.peer.MoveFigures;
import dev.fulmar.reconfig.peer.Peers;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A reconfiguration is to begin in a cluster with a node of an earlier build. */
class MixedBuildsTest {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final ReconfigurationStatus NONE =
            new ReconfigurationStatus(ReconfigurationStatus.State.NONE, 0, MoveFigures.begun(0), "");

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final SimulatedProcess process = world.startProcess(new NodeId(1));
    private final SimulatedProcess old = world.startProcess(new NodeId(2));
    private final FixedPlans plans = new FixedPlans(PartitionPlan.hash(2), true);
    private final Reconfiguration reconfiguration = new Reconfiguration(new ReconfigurationEnvironment(
            new WaitingLog(),
            (partition, access) -> {},
            plans,
            partition -> false,
            LatencyHistogram::new,
            new Peers.Links(process.network(), new NoPrimaries(), 0),
            process.scheduler(),
            process.clock(),
            process.random(),
            report -> {}));

    private static final class NoPrimaries implements PrimaryNodes {
        @Override
        public @Nullable NodeId of(PartitionId partition) {
            return null;
        }

        @Override
        public @Nullable NodeId ofCatalog() {
            return null;
        }
    }

    private CompletableFuture<ReconfigurationStatus> started() {
        reconfiguration.begin();
        world.runFor(SECOND_NANOS);
        CompletableFuture<ReconfigurationStatus> started =
                reconfiguration.start(_ -> PartitionPlan.hash(2), MovePace.DEFAULT);
        world.runFor(5 * SECOND_NANOS);
        return started;
    }

    /** It ends the link at a message that it does not read, and links again. */
    private void endsLinks(SimulatedProcess node) {
        node.network()
                .onMessage((from, message) -> node.execute(0, "ends the link", () -> {
                    node.kill();
                    endsLinks(world.startProcess(new NodeId(2)));
                }));
    }

    @Test
    void theStartIsRefusedAndNamesTheNode() {
        endsLinks(old);
        assertThatThrownBy(() -> started().getNow(NONE)).hasMessageContaining("N2 did not say that it can move keys");
        assertThat(plans.made).isEmpty();
    }

    /** As one that is taken out does. */
    @Test
    void aNodeThatStopsMeanwhileDoesNotCount() {
        old.network().onMessage((from, message) -> old.execute(0, "stops", old::kill));
        assertThat(started()).isNotCompletedExceptionally();
        assertThat(plans.made).hasSize(1);
    }

    @Test
    void theStartIsRefusedIfANodeSaysNothing() {
        old.network().onMessage((from, message) -> {});
        assertThatThrownBy(() -> started().getNow(NONE)).hasMessageContaining("not all nodes have said");
        assertThat(plans.made).isEmpty();
    }

    @Test
    void theStartCountsOnceAllNodesHaveSaidSo() {
        Peers other = new Peers(
                new Peers.Links(old.network(), new NoPrimaries(), 0),
                (partition, step, answer) -> {},
                new FixedPlans(PartitionPlan.hash(2), true),
                old.clock(),
                report -> {});
        other.begin();
        assertThat(started()).isNotCompletedExceptionally();
        assertThat(plans.made).hasSize(1);
    }
}
