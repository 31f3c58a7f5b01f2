package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Inherent in replicating calls, as VoltDB does: a procedure whose results depend on more than its parameters makes
 * copies differ. Here the copy compares what each call changed before it confirms it, is built anew, and from then on
 * the procedure's calls are logged by value.
 */
class VoltDbDivergenceTest {
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;

    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void aProcedureThatDiffersBetweenCopiesIsFoundAndLoggedByValue(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(51, 3, 3, 2, mode).withClients();
        bank.world.runFor(SECOND_NANOS / 4);
        bank.change(7);
        bank.world.runFor(5 * SECOND_NANOS);
        assertThat(bank.reached).containsKey("replication: diverged");
        assertThat(bank.nodes.values())
                .anySatisfy(node -> assertThat(node.complaints)
                        .anySatisfy(complaint -> assertThat(complaint)
                                .contains("Stamp")
                                .contains("came to another result at another copy")));
        assertThat(bank.nodes.values())
                .allSatisfy(node -> assertThat(
                                Objects.requireNonNull(node.database.catalog().procedure("Stamp"))
                                        .byValue())
                        .isTrue());
        bank.heal();
        bank.assertCopiesEqual();
        // It still differs, and that harms nobody any more.
        int diverged = bank.reached.getOrDefault("replication: diverged", 0);
        long before = bank.transactions();
        bank.world.runFor(3 * SECOND_NANOS);
        assertThat(bank.reached.get("replication: diverged")).isEqualTo(diverged);
        assertThat(bank.transactions()).isGreaterThan(before + 300);
        bank.assertCopiesEqual();
    }
}
