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
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A change of the catalog that is asked for again under the same handle is made once, whoever makes the changes by
 * then.
 */
class RepeatedChangeTest {
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;
    private static final int CREATION = 5;
    private static final int CREATE_LATER = 5;
    private static final int DROP_LATER = 6;
    private static final long CLIENT = 77;

    private static TransactionRequest asked(long request, int change) {
        return new TransactionRequest.AdHoc(CLIENT, request, 0, BankSql.PREFIX + change, SteppedDatabase.list());
    }

    /** Asks until there is a definite answer. */
    private static TransactionResponse ask(ReplicatedBank bank, ClusterNode node, long request, int change) {
        long endNanos = bank.world.nowNanos() + 20 * SECOND_NANOS;
        while (bank.world.nowNanos() < endNanos) {
            CompletableFuture<TransactionResponse> answer = bank.ask(node, asked(request, change));
            assertThat(bank.world.runUntil(answer::isDone, 20 * SECOND_NANOS)).isTrue();
            if (!(answer.join() instanceof Failed failed) || failed.code().category() == Category.USER) {
                return answer.join();
            }
            bank.world.runFor(SECOND_NANOS / 10);
        }
        throw new AssertionError("no answer to change " + change);
    }

    @ParameterizedTest
    @EnumSource(names = {"SYNC", "NONE"})
    void theNextMakerOfChangesKnowsWhatTheFormerOneMade(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(61, 3, 3, 2, mode);
        NodeId maker = bank.catalogPrimary().process.node();
        assertThat(ask(bank, bank.node(maker), 1, CREATE_LATER)).isInstanceOf(Committed.class);
        bank.kill(maker);
        assertThat(bank.world.runUntil(bank::allServe, 20 * SECOND_NANOS)).isTrue();
        ClusterNode next = bank.catalogPrimary();
        assertThat(next.process.node()).isNotEqualTo(maker);
        assertThat(ask(bank, next, 1, CREATE_LATER)).isInstanceOf(Committed.class);
        assertThat(next.database.catalog().version()).isEqualTo(CREATION + 1);
        assertThat(((Failed) ask(bank, next, 2, CREATE_LATER)).code()).isEqualTo(ErrorCode.OBJECT_EXISTS);
        assertThat(ask(bank, next, 3, DROP_LATER)).isInstanceOf(Committed.class);
        assertThat(ask(bank, next, 1, CREATE_LATER)).isInstanceOf(Committed.class);
        assertThat(next.database.catalog().version()).isEqualTo(CREATION + 2);
    }

    /** A node that had nothing gets what is known of handles with the catalog. */
    @Test
    void aNodeThatLostItsDiskKnowsItToo() {
        ReplicatedBank bank = new ReplicatedBank(62, 2, 2, 2, DurabilityMode.SYNC);
        NodeId maker = bank.catalogPrimary().process.node();
        NodeId other = new NodeId(3 - maker.number());
        assertThat(ask(bank, bank.node(maker), 1, CREATE_LATER)).isInstanceOf(Committed.class);
        bank.replace(other);
        assertThat(bank.world.runUntil(() -> bank.allKnow(CREATION + 1), 30 * SECOND_NANOS))
                .isTrue();
        bank.heal();
        bank.kill(maker);
        assertThat(bank.world.runUntil(bank::allServe, 20 * SECOND_NANOS)).isTrue();
        assertThat(ask(bank, bank.node(other), 1, CREATE_LATER)).isInstanceOf(Committed.class);
        assertThat(bank.node(other).database.catalog().version()).isEqualTo(CREATION + 1);
    }

    /** A maker of changes that is cut off cannot say that a table exists: others may have dropped it. */
    @Test
    void aRefusalOfAChangeIsConfirmed() {
        ReplicatedBank bank = new ReplicatedBank(63, 3, 1, 2, DurabilityMode.NONE);
        ClusterNode alone = bank.catalogPrimary();
        assertThat(ask(bank, alone, 1, CREATE_LATER)).isInstanceOf(Committed.class);
        bank.isolate(alone.process.node());
        CompletableFuture<TransactionResponse> answer = bank.ask(alone, asked(2, CREATE_LATER));
        assertThat(bank.world.runUntil(() -> bank.catalogPrimary() != alone && bank.allServe(), 20 * SECOND_NANOS))
                .isTrue();
        assertThat(ask(bank, bank.catalogPrimary(), 3, DROP_LATER)).isInstanceOf(Committed.class);
        assertThat(answer).as("to one who cannot know").isNotDone();
        bank.mend();
        assertThat(bank.world.runUntil(answer::isDone, 30 * SECOND_NANOS)).isTrue();
        assertThat(((Failed) answer.join()).code().category())
                .as("of a table that there is not: " + answer.join())
                .isNotEqualTo(Category.USER);
    }

    @Test
    void aNodeKnowsItAfterALossOfPower() {
        SimulatedWorld world = new SimulatedWorld(64);
        SimulatedProcess process = world.startProcess(new NodeId(0));
        DatabaseConfiguration configuration = DatabaseConfiguration.of(2, 2);
        SteppedDatabase before =
                new SteppedDatabase(configuration, new BankSql(), process.storage(), DurabilityMode.SYNC);
        TransactionRequest create =
                new TransactionRequest.AdHoc(CLIENT, 1, 0, BankSql.PREFIX + 0, SteppedDatabase.list());
        assertThat(before.run(create)).isInstanceOf(Committed.class);
        process.crash();
        SteppedDatabase after = new SteppedDatabase(
                configuration, new BankSql(), world.startProcess(new NodeId(0)).storage(), DurabilityMode.SYNC);
        assertThat(after.run(create)).isInstanceOf(Committed.class);
        assertThat(after.database.catalog().version()).isEqualTo(1);
        assertThat(((Failed) after.sql(BankSql.PREFIX + 0)).code()).isEqualTo(ErrorCode.OBJECT_EXISTS);
    }
}
