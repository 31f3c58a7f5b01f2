package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.ErrorCode.Category;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * All partitions are locked for a change of the catalog, and one of them does not get ready: the others do not wait for
 * it longer than requests wait.
 */
class LockedForChangeTest {
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;
    private static final long LIMIT_NANOS =
            DatabaseConfiguration.of(1, 1).calls().timeoutNanos();
    private static final int CREATE_SALE = 9;
    private static final int PARTITION_SALE = 10;
    private static final int UNIQUE_SALES = 11;

    /** Their makers: of three partitions it leads none, of six it leads some. */
    private static ReplicatedBank bank(int partitions) {
        ReplicatedBank bank = new ReplicatedBank(611, 4, partitions, 2, DurabilityMode.SYNC);
        bank.change(CREATE_SALE);
        bank.change(PARTITION_SALE);
        assertThat(bank.world.runUntil(() -> bank.allKnow(version(bank)), 5 * SECOND_NANOS))
                .isTrue();
        return bank;
    }

    private static long version(ReplicatedBank bank) {
        return bank.catalogPrimary().database.catalog().version();
    }

    private static long led(ReplicatedBank bank, ClusterNode node) {
        return IntStream.range(0, bank.configuration().partitions())
                .filter(number -> bank.primary(new PartitionId(number)).equals(node))
                .count();
    }

    /** The first one that the node leads. */
    private static PartitionId ledBy(ReplicatedBank bank, ClusterNode node) {
        return IntStream.range(0, bank.configuration().partitions())
                .mapToObj(PartitionId::new)
                .filter(partition -> bank.primary(partition).equals(node))
                .findFirst()
                .orElseThrow();
    }

    private static CompletableFuture<TransactionResponse> insert(ReplicatedBank bank, PartitionId partition) {
        long key = 0;
        while (bank.configuration().plan().partitionOf(key) != partition.number()) {
            key++;
        }
        return bank.ask(
                bank.primary(partition),
                new TransactionRequest.AdHoc(
                        0, 0, 0, "INSERT INTO sale VALUES (?, ?)", SteppedDatabase.list(key, bank.world.nowNanos())));
    }

    /** Neither hears the other any more, and neither can change who leads. */
    private static void cut(ReplicatedBank bank, NodeId one, NodeId other) {
        bank.store.cut(one);
        bank.store.cut(other);
        bank.world.network().partition(Set.of(one), Set.of(other));
    }

    private static void endWhole(ReplicatedBank bank, long version) {
        bank.mend();
        assertThat(bank.world.runUntil(() -> bank.allServe() && bank.allKnow(version), 30 * SECOND_NANOS))
                .as("all know version %s %s", version, bank)
                .isTrue();
        bank.heal();
        bank.nodes.keySet().forEach(bank::kill);
    }

    /**
     * The partition's vote does not come, for its copies do not hear each other. Its node leads another one, which is
     * locked as well.
     */
    private static void silence(ReplicatedBank bank, PartitionId silent) {
        ClusterNode voter = bank.primary(silent);
        long before = version(bank);
        assertThat(led(bank, voter)).isGreaterThan(1);
        cut(
                bank,
                voter.process.node(),
                bank.nodesOf(silent).stream()
                        .filter(node -> !node.equals(voter.process.node()))
                        .findFirst()
                        .orElseThrow());
        CompletableFuture<TransactionResponse> made = ReplicatedBank.change(bank.catalogPrimary(), UNIQUE_SALES);
        bank.world.runFor(LIMIT_NANOS - 5 * SECOND_NANOS);
        assertThat(made).isNotDone();
        assertThat(bank.world.runUntil(made::isDone, 10 * SECOND_NANOS))
                .as("answer %s", bank)
                .isTrue();
        ErrorCode code = SteppedDatabase.code(made.join());
        assertThat(code).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(code.category()).isEqualTo(Category.RETRYABLE);
        for (int number = 0; number < bank.configuration().partitions(); number++) {
            PartitionId partition = new PartitionId(number);
            if (!bank.nodesOf(partition).equals(bank.nodesOf(silent))) {
                CompletableFuture<TransactionResponse> done = insert(bank, partition);
                assertThat(bank.world.runUntil(done::isDone, SECOND_NANOS))
                        .as("%s answers while %s does not %s", partition, silent, bank)
                        .isTrue();
                assertThat(done.join()).isInstanceOf(Committed.class);
            }
        }
        bank.mend();
        assertThat(bank.world.runUntil(() -> bank.allServe() && bank.allKnow(before), 30 * SECOND_NANOS))
                .isTrue();
        CompletableFuture<TransactionResponse> again = ReplicatedBank.change(bank.catalogPrimary(), UNIQUE_SALES);
        assertThat(bank.world.runUntil(again::isDone, 10 * SECOND_NANOS)).isTrue();
        assertThat(again.join()).isInstanceOf(Committed.class);
        endWhole(bank, before + 1);
    }

    @Test
    void aVoteOfAnotherNodeThatDoesNotComeIsNotWaitedForForEver() {
        ReplicatedBank bank = bank(3);
        assertThat(led(bank, bank.catalogPrimary())).isZero();
        silence(bank, new PartitionId(1));
    }

    @Test
    void aVoteOfTheMakerThatDoesNotComeIsNotWaitedForForEver() {
        ReplicatedBank bank = bank(6);
        silence(bank, ledBy(bank, bank.catalogPrimary()));
    }

    @Test
    void whatIsInTheLogGoesForwardHoweverLongItTakes() {
        ReplicatedBank bank = bank(3);
        ClusterNode maker = bank.catalogPrimary();
        long before = version(bank);
        ClusterNode follower = bank.nodes.values().stream()
                .filter(node -> !node.equals(maker) && led(bank, node) == 0)
                .findFirst()
                .orElseThrow();
        CompletableFuture<TransactionResponse> made = bank.logChange(UNIQUE_SALES);
        cut(bank, maker.process.node(), follower.process.node());
        bank.world.runFor(LIMIT_NANOS + 5 * SECOND_NANOS);
        assertThat(made).as("not all have it").isNotDone();
        bank.mend();
        assertThat(bank.world.runUntil(made::isDone, 20 * SECOND_NANOS)).isTrue();
        assertThat(made.join()).isInstanceOf(Committed.class);
        endWhole(bank, before + 1);
    }
}
