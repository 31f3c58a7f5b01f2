package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Partitions go to the nodes that should lead them while clients work, and no process ends. */
class LeadershipTransferTest {
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;
    private static final int PARTITIONS = 3;

    /** From now on the node should lead the partition. */
    private static void prefer(ReplicatedBank bank, PartitionId partition, NodeId node) {
        List<NodeId> others = bank.nodesOf(partition).stream()
                .filter(other -> !other.equals(node))
                .toList();
        List<NodeId> planned = Stream.concat(Stream.of(node), others.stream()).toList();
        bank.nodes
                .values()
                .forEach(each -> each.database.copies().of(partition).tell(new LeadershipEvent.Planned(planned)));
    }

    private static NodeId follower(ReplicatedBank bank, PartitionId partition) {
        NodeId primary = bank.primary(partition).process.node();
        return bank.nodesOf(partition).stream()
                .filter(node -> !node.equals(primary))
                .findFirst()
                .orElseThrow();
    }

    private static boolean leads(ReplicatedBank bank, PartitionId partition, NodeId node) {
        return bank.primary(partition).process.node().equals(node)
                && bank.primary(partition).database.copies().isHere(partition.number());
    }

    /**
     * All partitions and the catalog get another primary, again and again, under clients of one partition and of
     * several. No term is won by a candidate, no copy is built anew, and the sum of all money stays.
     */
    @ParameterizedTest
    @CsvSource({"SYNC,false", "NONE,false", "SYNC,true", "NONE,true"})
    void allPartitionsChangeHandsUnderLoad(DurabilityMode mode, boolean isSpread) {
        ReplicatedBank bank = new ReplicatedBank(31, 3, PARTITIONS, 2, mode);
        bank = isSpread ? bank.withSpreadClients(3) : bank.withClients();
        changeHands(bank);
    }

    private static void changeHands(ReplicatedBank bank) {
        bank.world.runFor(SECOND_NANOS);
        int promotions = bank.reached.getOrDefault("leadership: promotion", 0);
        for (int round = 0; round < 4; round++) {
            List<NodeId> wanted = new ArrayList<>();
            for (int partition = 0; partition <= PARTITIONS; partition++) {
                PartitionId id = new PartitionId(partition);
                wanted.add(follower(bank, id));
                prefer(bank, id, wanted.get(partition));
            }
            long before = bank.transactions();
            assertThat(bank.world.runUntil(
                            () -> {
                                for (int partition = 0; partition <= PARTITIONS; partition++) {
                                    if (!leads(bank, new PartitionId(partition), wanted.get(partition))) {
                                        return false;
                                    }
                                }
                                return true;
                            },
                            20 * SECOND_NANOS))
                    .as("round " + round + ": all are led where they should be, " + bank)
                    .isTrue();
            bank.world.runFor(SECOND_NANOS);
            assertThat(bank.transactions()).isGreaterThan(before + 200);
        }
        assertThat(bank.reached.get("leadership: handed to the preferred node")).isGreaterThanOrEqualTo(16);
        assertThat(bank.reached.getOrDefault("leadership: promotion", 0)).isEqualTo(promotions);
        assertThat(bank.reached).doesNotContainKey("copies: one is begun");
        bank.calm();
        bank.heal();
        bank.assertCopiesEqual();
    }

    /** A node that was killed leads again when it has come back, and nobody else has to end for it. */
    @ParameterizedTest
    @ValueSource(longs = {41, 42, 43})
    void aNodeThatComesBackLeadsAgain(long seed) {
        ReplicatedBank bank = new ReplicatedBank(seed, 3, PARTITIONS, 2, DurabilityMode.SYNC).withClients();
        PartitionId partition = new PartitionId(0);
        NodeId first = bank.primary(partition).process.node();
        bank.world.runFor(SECOND_NANOS);
        bank.kill(first);
        assertThat(bank.world.runUntil(
                        () -> !bank.record(partition).get().primary().node().equals(first), 10 * SECOND_NANOS))
                .isTrue();
        bank.startAgain(first);
        prefer(bank, partition, first);
        assertThat(bank.world.runUntil(() -> leads(bank, partition, first), 30 * SECOND_NANOS))
                .as("it leads again " + bank)
                .isTrue();
        assertThat(bank.reached).containsKey("leadership: handed to the preferred node");
        long before = bank.transactions();
        bank.world.runFor(SECOND_NANOS);
        assertThat(bank.transactions()).isGreaterThan(before + 100);
        bank.heal();
        bank.assertCopiesEqual();
    }
}
