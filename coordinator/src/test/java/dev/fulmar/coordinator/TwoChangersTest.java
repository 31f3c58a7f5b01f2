package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A node that the store does not reach leads a partition of which there is no other copy, and takes itself for the one that makes changes of the catalog. */
class TwoChangersTest {
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;
    private static final int CREATE_LATER = 5;
    private static final int CREATE_SALE = 9;

    @Test
    void theirChangesDoNotWaitForEachOther() {
        ReplicatedBank bank = new ReplicatedBank(51, 3, 3, 1, DurabilityMode.SYNC);
        assertThat(bank.world.runUntil(() -> bank.allKnow(5), 5 * SECOND_NANOS)).isTrue();
        ClusterNode former = bank.catalogPrimary();
        bank.isolate(former.process.node());
        assertThat(bank.world.runUntil(
                        () -> !bank.catalogPrimary().equals(former)
                                && bank.catalogPrimary().database.copies().changesCatalog(),
                        10 * SECOND_NANOS))
                .isTrue();
        bank.world.network().heal();
        bank.world.runFor(SECOND_NANOS);
        assertThat(former.database.copies().changesCatalog())
                .as("it takes itself for the one")
                .isTrue();
        CompletableFuture<TransactionResponse> vain = ReplicatedBank.change(former, CREATE_LATER);
        CompletableFuture<TransactionResponse> made = ReplicatedBank.change(bank.catalogPrimary(), CREATE_SALE);
        assertThat(bank.world.runUntil(() -> vain.isDone() && made.isDone(), 30 * SECOND_NANOS))
                .as("answers %s %s %s", vain, made, bank)
                .isTrue();
        assertThat(SteppedDatabase.code(vain.join())).isEqualTo(ErrorCode.NOT_CONNECTED);
        assertThat(made.join()).isInstanceOf(Committed.class);
        bank.mend();
        assertThat(bank.world.runUntil(() -> bank.allKnow(6), 10 * SECOND_NANOS))
                .as("all know %s", bank)
                .isTrue();
        bank.nodes.keySet().forEach(bank::kill);
    }
}
