package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A materialized view in a cluster: made while transactions run, kept by copies that execute calls and apply values, by
 * those that take over, and by those built anew.
 */
class ReplicatedViewTest {
    private static final int PARTITIONS = 3;

    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void theViewFollowsItsTableAtEveryCopy(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(21, 3, PARTITIONS, 2, mode).withClients();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS / 4);
        bank.change(ReplicatedBank.BALANCES);
        bank.world.runFor(ReplicatedBank.SECOND_NANOS / 2);
        BalancesView.assertFollows(bank, PARTITIONS);
        NodeId killed = bank.primary(new PartitionId(0)).process.node();
        bank.kill(killed);
        assertThat(bank.world.runUntil(bank::allServe, 10 * ReplicatedBank.SECOND_NANOS))
                .isTrue();
        long before = bank.transactions();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        assertThat(bank.transactions()).isGreaterThan(before + 100);
        BalancesView.assertFollows(bank, PARTITIONS);
        bank.startAgain(killed);
        bank.heal();
        BalancesView.assertFollows(bank, PARTITIONS);
    }
}
