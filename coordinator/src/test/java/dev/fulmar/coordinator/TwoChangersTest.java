package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.ErrorCode.Category;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A node that the store does not reach leads a partition of which there is no other copy, and takes itself for the one
 * that makes changes of the catalog.
 */
class TwoChangersTest {
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;
    /** The version of the catalog that the bank begins with. */
    private static final int CREATION = 5;

    private static final int CREATE_LATER = 5;
    private static final int CREATE_SALE = 9;

    /** The primary of the catalog, cut off until another node leads it: it still takes itself for the primary. */
    private static ClusterNode former(ReplicatedBank bank) {
        assertThat(bank.world.runUntil(() -> bank.allKnow(CREATION), 5 * SECOND_NANOS))
                .isTrue();
        ClusterNode former = bank.catalogPrimary();
        bank.isolate(former.process.node());
        assertThat(bank.world.runUntil(
                        () -> !bank.catalogPrimary().equals(former)
                                && bank.catalogPrimary().database.copies().changesCatalog(),
                        10 * SECOND_NANOS))
                .isTrue();
        return former;
    }

    /**
     * Seed 1392145: a client asks a former maker again, and a node that tries its attempt has what the next maker made
     * of the same request.
     */
    @ParameterizedTest
    @ValueSource(longs = {51, 52, 53, 54, 55, 56, 57, 58})
    void aFormerMakerDoesNotSayThatWhatItsClientAskedForExists(long seed) {
        ReplicatedBank bank = new ReplicatedBank(seed, 3, 3, 2, DurabilityMode.SYNC);
        ClusterNode former = former(bank);
        TransactionRequest create =
                new TransactionRequest.AdHoc(77, 1, 0, BankSql.PREFIX + CREATE_LATER, SteppedDatabase.list());
        CompletableFuture<TransactionResponse> made = bank.ask(bank.catalogPrimary(), create);
        assertThat(bank.world.runUntil(made::isDone, 10 * SECOND_NANOS)).isTrue();
        assertThat(made.join()).isInstanceOf(Committed.class);
        bank.world.network().heal();
        bank.world.runFor(SECOND_NANOS / 10);
        CompletableFuture<TransactionResponse> again = bank.ask(former, create);
        bank.world.runFor(SECOND_NANOS);
        assertThat(again.isDone()
                        && again.join() instanceof Failed failed
                        && failed.code().category() == Category.USER)
                .as("refused %s", bank)
                .isFalse();
        bank.mend();
        assertThat(bank.world.runUntil(again::isDone, 30 * SECOND_NANOS)).isTrue();
        bank.nodes.keySet().forEach(bank::kill);
    }

    @Test
    void theirChangesDoNotWaitForEachOther() {
        ReplicatedBank bank = new ReplicatedBank(51, 3, 3, 1, DurabilityMode.SYNC);
        ClusterNode former = former(bank);
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
