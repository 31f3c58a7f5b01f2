package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.cluster.NodeChannel;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A node is ready for a change of the catalog when the link to the node that makes it is cut, for good and for these
 * two only. The others know, or can ask, what became of the change: its partitions do not stay locked.
 */
class CutOffVoterTest {
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;
    private static final int CREATE_SALE = 9;
    private static final int PARTITION_SALE = 10;
    private static final int UNIQUE_SALES = 11;

    /** Of a message of {@code ChangeFormat}, behind channel and version. */
    private static final byte READY = 4;

    private final ReplicatedBank bank;
    private final ClusterNode maker;
    private final ClusterNode voter;
    private final PartitionId partition;
    private final long before;

    CutOffVoterTest() {
        bank = new ReplicatedBank(601, 4, 3, 2, DurabilityMode.SYNC);
        bank.change(CREATE_SALE);
        bank.change(PARTITION_SALE);
        maker = bank.catalogPrimary();
        partition = farPartition();
        voter = bank.primary(partition);
        before = maker.database.catalog().version();
        assertThat(bank.world.runUntil(() -> bank.allKnow(before), 5 * SECOND_NANOS))
                .isTrue();
        assertThat(isTaken()).as("a row is taken before").isTrue();
    }

    /** One that another node than the maker leads. */
    private PartitionId farPartition() {
        for (int number = 0; ; number++) {
            PartitionId one = new PartitionId(number);
            if (!bank.primary(one).equals(maker)) {
                return one;
            }
        }
    }

    /** Whether the partition answers, still led by the same node. */
    private boolean isTaken() {
        long key = 0;
        while (bank.configuration().plan().partitionOf(key) != partition.number()) {
            key++;
        }
        CompletableFuture<TransactionResponse> done = bank.ask(
                voter,
                new TransactionRequest.AdHoc(
                        0, 0, 0, "INSERT INTO sale VALUES (?, ?)", SteppedDatabase.list(key, bank.world.nowNanos())));
        return bank.world.runUntil(done::isDone, SECOND_NANOS / 2) && done.join() instanceof Committed;
    }

    private void cut() {
        bank.world.network().partition(Set.of(maker.process.node()), Set.of(voter.process.node()));
    }

    private void awaitService() {
        boolean isTaken = false;
        for (int i = 0; i < 20 && !isTaken; i++) {
            isTaken = isTaken();
        }
        assertThat(bank.primary(partition)).isEqualTo(voter);
        assertThat(isTaken).as("a row is taken while the link is cut %s", bank).isTrue();
    }

    private void endWhole(long version) {
        bank.world.network().heal();
        assertThat(bank.world.runUntil(() -> bank.allServe() && bank.allKnow(version), 30 * SECOND_NANOS))
                .as("all know version %s %s", version, bank)
                .isTrue();
        bank.heal();
        bank.nodes.keySet().forEach(bank::kill);
    }

    enum Moment {
        /** What is said is on its way and lost. */
        READY_IS_LOST,
        /** The other is told that the change came to nothing, and does not hear it. */
        ABORT_IS_LOST
    }

    private boolean isReady(NodeId from, NodeId to, byte[] message) {
        return from.equals(voter.process.node())
                && to.equals(maker.process.node())
                && message[0] == NodeChannel.CATALOG.number()
                && message[2] == READY;
    }

    @ParameterizedTest
    @EnumSource
    void whatCameToNothingIsToldByAnotherWay(Moment moment) {
        boolean[] isSaid = new boolean[1];
        bank.world.network().watch((from, to, message) -> {
            boolean isIt = isReady(from, to, message);
            isSaid[0] |= isIt;
            return isIt && moment == Moment.READY_IS_LOST;
        });
        if (moment == Moment.ABORT_IS_LOST) {
            // The last one to be ready stands still until all is over between the others.
            bank.nodes.values().stream()
                    .filter(node -> !node.equals(maker) && !node.equals(voter))
                    .forEach(node -> node.process.standStill(SECOND_NANOS * 3 / 10));
        }
        CompletableFuture<TransactionResponse> made = ReplicatedBank.change(maker, UNIQUE_SALES);
        assertThat(bank.world.runUntil(() -> isSaid[0], 5 * SECOND_NANOS))
                .as("the voter is ready")
                .isTrue();
        cut();
        assertThat(bank.world.runUntil(made::isDone, 20 * SECOND_NANOS)).isTrue();
        assertThat(made.join()).isNotInstanceOf(Committed.class);
        awaitService();
        assertThat(voter.database.catalog().version()).isEqualTo(before);
        endWhole(before);
    }

    @Test
    void whatCountsComesFromAnyNodeThatHasIt() {
        CompletableFuture<TransactionResponse> made = bank.logChange(UNIQUE_SALES);
        cut();
        assertThat(bank.world.runUntil(made::isDone, 20 * SECOND_NANOS))
                .as("answer %s", bank)
                .isTrue();
        assertThat(made.join()).isInstanceOf(Committed.class);
        awaitService();
        assertThat(voter.database.catalog().version()).isEqualTo(before + 1);
        endWhole(before + 1);
    }

    /** Another one has the change in its log, and would lead next. */
    @Test
    void aSuccessorSaysThatItCameToNothingOnceAllCopiesInSyncFollow() {
        ClusterNode witness = bank.nodes.values().stream()
                .filter(node -> !node.equals(maker) && !node.equals(voter))
                .toList()
                .getLast();
        long end = witness.database.copies().catalog().end();
        CompletableFuture<TransactionResponse> made = bank.logChange(UNIQUE_SALES);
        bank.nodes.values().stream()
                .filter(node -> !node.equals(maker) && !node.equals(witness))
                .forEach(node ->
                        bank.world.network().partition(Set.of(maker.process.node()), Set.of(node.process.node())));
        assertThat(bank.world.runUntil(() -> witness.database.copies().catalog().end() > end, SECOND_NANOS))
                .as("the change is in the witness's log")
                .isTrue();
        boolean[] isSilent = {true};
        bank.world
                .network()
                .watch((from, to, message) -> isSilent[0]
                        && from.equals(witness.process.node())
                        && message[0] == NodeChannel.REPLICATION.number());
        bank.kill(maker.process.node());
        assertThat(bank.world.runUntil(() -> voter.database.copies().catalog().serves(), 5 * SECOND_NANOS))
                .as("the voter makes the changes now %s", bank)
                .isTrue();
        assertThat(made).isNotDone();
        assertThat(isTaken()).as("a row is taken that the change may forbid").isFalse();
        assertThat(bank.record(bank.catalog()).get().inSyncOn(witness.process.node()))
                .isPresent();

        isSilent[0] = false;
        awaitService();
        assertThat(voter.database.catalog().version()).isEqualTo(before);
    }
}
