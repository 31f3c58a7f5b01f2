package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.coordinator.membership.leadership.Leadership;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent;
import dev.fulmar.engine.partition.CommitGate.GatedReply;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.engine.partition.ReplyBatch;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A term that ends before its primary serves: the catalog has no primary meanwhile, which it would have to ask. */
class TermWithoutServiceTest {
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;
    private static final PartitionId PARTITION = new PartitionId(0);

    private final ReplicatedBank bank = new ReplicatedBank(31, 4, 3, 3, DurabilityMode.SYNC);

    private PartitionReplica copy(NodeId node) {
        return bank.node(node).database.copies().of(PARTITION);
    }

    private void suspect(NodeId node, NodeId suspected) {
        copy(node).tell(new LeadershipEvent.Suspected(suspected));
    }

    private boolean leads(NodeId node) {
        return bank.record(PARTITION).get().primary().node().equals(node);
    }

    @Test
    void whatWaitsThereIsTold() {
        NodeId first = bank.primary(PARTITION).process.node();
        List<NodeId> others = bank.nodesOf(PARTITION).stream()
                .filter(node -> !node.equals(first))
                .toList();
        NodeId second = others.getFirst();
        NodeId third = others.getLast();
        NodeId catalog = bank.catalogPrimary().process.node();
        assertThat(bank.nodesOf(PARTITION)).doesNotContain(catalog);
        bank.isolate(catalog);
        suspect(second, first);
        assertThat(bank.world.runUntil(
                        () -> leads(second) && copy(second).status().role() == Leadership.Role.PRIMARY, SECOND_NANOS))
                .isTrue();
        bank.world.runFor(SECOND_NANOS / 50);
        bank.world.network().partition(Set.of(second), Set.of(first, third));
        List<String> told = new ArrayList<>();
        ClusterNode node = bank.node(second);
        node.process.execute(
                0,
                "question",
                () -> node.database.runtime(PARTITION).partition().inbox().put((PartitionTask) partition -> partition
                        .readers()
                        .onceConfirmed(new GatedReply() {
                            @Override
                            public void leave(ReplyBatch replies) {
                                told.add("confirmed");
                            }

                            @Override
                            public void lost(FulmarException cause, ReplyBatch replies) {
                                told.add("lost");
                            }
                        })));
        bank.world.runFor(SECOND_NANOS / 50);
        assertThat(copy(second).status().answers()).as("it has served nothing").isFalse();
        suspect(third, second);
        assertThat(bank.world.runUntil(() -> !leads(second), 5 * SECOND_NANOS)).isTrue();
        bank.mend();
        bank.world.runFor(SECOND_NANOS);
        assertThat(told).containsExactly("lost");
        bank.nodes.keySet().forEach(bank::kill);
    }
}
