package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Whatever happens to the nodes of a bank, nothing that was acknowledged is lost, unseen or done twice, and when it ends all goes on. */
class ReplicatedBankSimulation {
    private static final int HARMS = 20;

    /** {@code FIRST-LAST}; a longer campaign says it with {@code -Dbank.seeds=1-500}. */
    private static final String SEEDS = System.getProperty("bank.seeds", "1-8");

    @Test
    void nothingThatWasAcknowledgedIsLostUnseenOrDoneTwice() {
        String[] ends = SEEDS.split("-");
        Map<String, Integer> reached = new TreeMap<>();
        Map<Long, Throwable> violations = new TreeMap<>();
        for (long seed = Long.parseLong(ends[0]); seed <= Long.parseLong(ends[1]); seed++) {
            try {
                BankSwarm swarm = new BankSwarm(seed);
                swarm.run(HARMS);
                assertThat(swarm.bank.transactions()).as(swarm.toString()).isGreaterThan(50);
                swarm.bank.reached.forEach((what, times) -> reached.merge(what, times, Integer::sum));
            } catch (AssertionError | RuntimeException violation) {
                violations.put(seed, violation);
            }
        }
        assertThat(violations).isEmpty();
        assertThat(reached)
                .containsKeys(
                        "leadership: promotion",
                        "leadership: deposed",
                        "replication: a copy is lost",
                        "replication: a term begins",
                        "copies: one is built");
    }
}
