package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One transfer between two nodes whose partitions have copies, disturbed after ever more of its steps. However it is
 * disturbed, it happens whole and once, and nothing stays locked.
 */
class ReplicatedStepsTest {
    private static final int NODES = 3;
    private static final int PARTITIONS = 3;
    private static final int MOST_STEPS = 100_000;

    /** Of the transfer, spread over its steps. */
    private static final int POINTS = 8;

    /** What happens to one node; P0 is the base partition, P1 the other participant. */
    private enum Disturbance {
        KILL_COORDINATOR(0, true),
        KILL_PARTICIPANT(1, true),
        KILL_COPY_OF_BASE(0, true),
        KILL_COPY_OF_PARTICIPANT(1, true),
        CUT_COORDINATOR_OFF(0, false),
        CUT_PARTICIPANT_OFF(1, false);

        private final PartitionId partition;
        private final boolean isDeath;

        Disturbance(int partition, boolean isDeath) {
            this.partition = new PartitionId(partition);
            this.isDeath = isDeath;
        }

        boolean isOfPrimary() {
            return this != KILL_COPY_OF_BASE && this != KILL_COPY_OF_PARTICIPANT;
        }
    }

    /** The node that is to be disturbed. */
    private static NodeId victim(ReplicatedBank bank, Disturbance disturbance) {
        CopyId primary = bank.record(disturbance.partition).get().primary();
        return bank.record(disturbance.partition).get().inSync().stream()
                .filter(copy -> copy.equals(primary) == disturbance.isOfPrimary())
                .findFirst()
                .orElseThrow()
                .node();
    }

    /** Steps of the world that the transfer takes when nothing happens. */
    private static int stepsOfTransfer(DurabilityMode mode) {
        ReplicatedBank bank = bank(mode);
        long before = bank.transactions();
        bank.spreadClients.getFirst().transfer(0, 1, 1);
        int steps = 0;
        while (bank.transactions() == before && steps < MOST_STEPS) {
            bank.world.step();
            steps++;
        }
        assertThat(bank.transactions()).isEqualTo(before + 1);
        return steps;
    }

    private static ReplicatedBank bank(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(11, NODES, PARTITIONS, 2, mode).withSpreadClients(1);
        SpreadClient client = bank.spreadClients.getFirst();
        assertThat(bank.world.runUntil(client::hasOpened, 5 * ReplicatedBank.SECOND_NANOS))
                .isTrue();
        bank.calm();
        return bank;
    }

    @ParameterizedTest
    @EnumSource(Disturbance.class)
    void theTransferHappensOnce(Disturbance disturbance) {
        int steps = stepsOfTransfer(DurabilityMode.NONE);
        for (int point = 0; point <= POINTS; point++) {
            disturb(disturbance, DurabilityMode.NONE, steps * point / POINTS);
        }
    }

    @Test
    void theTransferHappensOnceWithALogOnDisk() {
        int steps = stepsOfTransfer(DurabilityMode.SYNC);
        for (int point = 1; point < POINTS; point += 2) {
            disturb(Disturbance.KILL_COORDINATOR, DurabilityMode.SYNC, steps * point / POINTS);
            disturb(Disturbance.KILL_PARTICIPANT, DurabilityMode.SYNC, steps * point / POINTS);
        }
    }

    private static void disturb(Disturbance disturbance, DurabilityMode mode, int steps) {
        ReplicatedBank bank = bank(mode);
        SpreadClient client = bank.spreadClients.getFirst();
        NodeId victim = victim(bank, disturbance);
        client.transfer(0, 1, 7);
        for (int step = 0; step < steps; step++) {
            bank.world.step();
        }
        String when = disturbance + " after " + steps + " steps " + bank;
        if (disturbance.isDeath) {
            bank.kill(victim);
        } else {
            bank.isolate(victim);
        }
        // The client knows what is to be left, and that each request is executed once.
        assertThat(bank.world.runUntil(client::isIdle, 20 * ReplicatedBank.SECOND_NANOS))
                .as(when)
                .isTrue();
        client.readAll();
        assertThat(bank.world.runUntil(client::isIdle, 20 * ReplicatedBank.SECOND_NANOS))
                .as(when)
                .isTrue();
        if (disturbance.isDeath) {
            bank.restart(victim);
        } else {
            bank.mend();
        }
        bank.heal();
        client.readAll();
        assertThat(bank.world.runUntil(client::isIdle, 20 * ReplicatedBank.SECOND_NANOS))
                .as(when)
                .isTrue();
        bank.assertCopiesEqual();
        bank.assertNothingIsLeft();
        bank.nodes.keySet().forEach(bank::kill);
    }
}
