package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.ErrorCode.Category;
import dev.fulmar.foundation.id.NodeId;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * A node that is cut off does not hear of changes of the catalog: it must not say of what they made that it does not
 * exist.
 */
class StaleCatalogTest {
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;
    private static final int CREATE_SALE = 9;
    private static final int PARTITION_SALE = 10;

    private static CompletableFuture<TransactionResponse> insert(ReplicatedBank bank, ClusterNode node) {
        return bank.ask(
                node,
                new TransactionRequest.AdHoc(0, 0, 0, "INSERT INTO sale VALUES (?, ?)", SteppedDatabase.list(0L, 5L)));
    }

    private static ErrorCode refusal(ReplicatedBank bank, ClusterNode node) {
        CompletableFuture<TransactionResponse> answer = insert(bank, node);
        assertThat(bank.world.runUntil(answer::isDone, 10 * SECOND_NANOS)).isTrue();
        assertThat(answer.join()).isInstanceOf(Failed.class);
        return ((Failed) answer.join()).code();
    }

    @Test
    void aNodeThatIsCutOffRefusesForGoodWhatItDoesNotKnowOnlyIfNobodyDoes() {
        ReplicatedBank bank = new ReplicatedBank(501, 4, 3, 2, DurabilityMode.NONE);
        assertThat(bank.world.runUntil(bank::allServe, 20 * SECOND_NANOS)).isTrue();
        NodeId maker = bank.catalogPrimary().process.node();
        NodeId away = new NodeId(1 + maker.number() % 3);
        assertThat(refusal(bank, bank.node(away)))
                .as("of a table that there is not, where all hear each other")
                .isEqualTo(refusal(bank, bank.node(maker)))
                .extracting(ErrorCode::category)
                .isEqualTo(Category.USER);
        TreeSet<NodeId> others = new TreeSet<>(bank.nodes.keySet());
        others.remove(away);
        bank.world.network().partition(Set.of(away), others);
        CompletableFuture<TransactionResponse> atOnce = insert(bank, bank.node(away));
        for (int change : new int[] {CREATE_SALE, PARTITION_SALE}) {
            TransactionResponse made = new Failed(ErrorCode.NOT_CONNECTED, "not sent yet");
            while (!(made instanceof Committed)) {
                CompletableFuture<TransactionResponse> done = ReplicatedBank.change(bank.node(maker), change);
                assertThat(bank.world.runUntil(done::isDone, 20 * SECOND_NANOS)).isTrue();
                made = done.join();
            }
        }
        assertThat(refusal(bank, bank.node(away)).category()).isNotEqualTo(Category.USER);
        assertThat(bank.world.runUntil(atOnce::isDone, 20 * SECOND_NANOS)).isTrue();
        assertThat(((Failed) atOnce.join()).code().category())
                .as("of what was asked while the cut was made: " + atOnce.join())
                .isNotEqualTo(Category.USER);
        bank.world.network().heal();
        long newest = bank.node(maker).database.catalog().version();
        assertThat(bank.world.runUntil(() -> bank.allServe() && bank.allKnow(newest), 30 * SECOND_NANOS))
                .isTrue();
        CompletableFuture<TransactionResponse> last = insert(bank, bank.node(away));
        assertThat(bank.world.runUntil(last::isDone, 10 * SECOND_NANOS)).isTrue();
        assertThat(last.join() instanceof Failed failed && failed.code().category() == Category.USER)
                .as("after all: " + last.join())
                .isFalse();
        bank.nodes.keySet().forEach(bank::kill);
    }
}
