package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Whatever happens to the nodes of a bank, nothing that was acknowledged is lost, unseen or done twice, and when it
 * ends all goes on.
 */
class ReplicatedBankSimulation {
    private static final int HARMS = 20;

    /**
     * Of a longer campaign, which says it with {@code -Dbank.seeds=1-500}, those are kept here that found something.
     */
    private static final String SEEDS = System.getProperty("bank.seeds", "1-6,11,13,95");

    /** The same for nodes that are stopped in order too: {@code -Dbank.leaving-seeds=1-500}. */
    private static final String LEAVING_SEEDS = System.getProperty("bank.leaving-seeds", "1-4");

    private static List<Long> seeds(String ranges) {
        List<Long> all = new ArrayList<>();
        for (String range : ranges.split(",", -1)) {
            int dash = range.indexOf('-');
            long first = Long.parseLong(dash < 0 ? range : range.substring(0, dash));
            long last = Long.parseLong(range.substring(dash + 1));
            for (long seed = first; seed <= last; seed++) {
                all.add(seed);
            }
        }
        return all;
    }

    @Test
    void nothingThatWasAcknowledgedIsLostUnseenOrDoneTwice() {
        assertThat(run(SEEDS, false))
                .containsKeys(
                        "leadership: promotion",
                        "leadership: deposed",
                        "replication: a copy is lost",
                        "replication: a term begins",
                        "copies: one is built",
                        "copies: a snapshot is read",
                        "copies: a reader is passed on");
    }

    @Test
    void norWhereNodesAreStoppedInOrder() {
        assertThat(run(LEAVING_SEEDS, true)).containsKeys("leadership: handed over", "leadership: deposed");
    }

    /** Returns which rare paths were taken, and how often. */
    private static Map<String, Integer> run(String ranges, boolean leaves) {
        Map<String, Integer> reached = new TreeMap<>();
        Map<Long, Throwable> violations = new TreeMap<>();
        for (long seed : seeds(ranges)) {
            try {
                BankSwarm swarm = new BankSwarm(seed, leaves);
                swarm.run(HARMS);
                assertThat(swarm.bank.transactions()).as(swarm.toString()).isGreaterThan(50);
                swarm.bank.reached.forEach((what, times) -> reached.merge(what, times, Integer::sum));
            } catch (AssertionError | RuntimeException violation) {
                violations.put(seed, violation);
            }
        }
        assertThat(violations).isEmpty();
        return reached;
    }
}
