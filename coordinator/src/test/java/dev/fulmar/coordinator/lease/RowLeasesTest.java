package dev.fulmar.coordinator.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Leases in the order of age, with time-outs and without deadlocks. */
class RowLeasesTest {
    private static final long LASTS_NANOS = 1_000_000_000;
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final SimulatedProcess process = world.startProcess(new NodeId(0));
    private final RowLeases leases = new RowLeases(process.clock(), process.scheduler(), LASTS_NANOS);
    private final List<String> heard = new ArrayList<>();

    private static LeaseAsker asker(long number) {
        return new LeaseAsker(number, number);
    }

    private void ask(long row, long number, long patienceNanos) {
        leases.ask(
                row,
                asker(number),
                patienceNanos,
                granted -> heard.add(number + (granted ? " has " : " lacks ") + row));
    }

    private void ask(long row, long number) {
        ask(row, number, PATIENCE_NANOS);
    }

    @Test
    void theOldestWaiterIsNext() {
        ask(1, 5);
        ask(1, 7);
        ask(1, 6);
        ask(1, 8);
        assertThat(heard).containsExactly("5 has 1");
        leases.release(asker(5));
        leases.release(asker(6));
        leases.release(asker(7));
        assertThat(heard).containsExactly("5 has 1", "6 has 1", "7 has 1", "8 has 1");
        leases.release(asker(8));
        assertThat(leases.count() + leases.waiting()).isZero();
    }

    @Test
    void whoDoesNotWaitHearsAtOnce() {
        ask(1, 5, 0);
        ask(1, 5, 0);
        ask(1, 4, 0);
        assertThat(heard).containsExactly("5 has 1", "5 has 1", "4 lacks 1");
    }

    @Test
    void aRowIsOfAnotherWhileItsLeaseLastsOrOthersWait() {
        assertThat(leases.isOfAnother(1, asker(6))).isFalse();
        ask(1, 5);
        assertThat(leases.isOfAnother(1, asker(6))).isTrue();
        assertThat(leases.isOfAnother(1, asker(5))).isFalse();
        assertThat(leases.isOfAnother(2, asker(6))).isFalse();
        world.runFor(LASTS_NANOS);
        assertThat(leases.isOfAnother(1, asker(6))).isFalse();
        ask(1, 7);
        leases.release(asker(7));
        assertThat(leases.isOfAnother(1, asker(6))).isFalse();
        assertThat(leases.count()).as("to ask takes nothing").isZero();
    }

    @Test
    void whoWaitsForNothingHearsInTheEnd() {
        ask(1, 5);
        ask(1, 6, LASTS_NANOS / 10);
        world.runFor(LASTS_NANOS / 5);
        assertThat(heard).containsExactly("5 has 1", "6 lacks 1");
    }

    @Test
    void aLeaseEndsByItself() {
        ask(1, 5);
        ask(1, 6);
        ask(1, 7);
        world.runFor(LASTS_NANOS / 2);
        assertThat(heard).hasSize(1);
        world.runFor(LASTS_NANOS);
        assertThat(heard).containsExactly("5 has 1", "6 has 1");
        world.runFor(LASTS_NANOS);
        assertThat(heard).containsExactly("5 has 1", "6 has 1", "7 has 1");
        leases.release(asker(5)); // it has nothing any more
        assertThat(leases.count()).isEqualTo(1);
    }

    /** The node of the transaction may be gone, so that nobody releases what it had. */
    @Test
    void aLeaseThatHasEndedIsForgotten() {
        ask(1, 5);
        ask(2, 5);
        world.runFor(2 * LASTS_NANOS);
        ask(3, 6);
        assertThat(leases.count()).isEqualTo(1);
    }

    /** Both ways: the older one comes to wait first, or last. */
    @Test
    void anOlderOneTakesWhatAYoungerOneThatWaitsHas() {
        ask(1, 5);
        ask(2, 6);
        ask(1, 6);
        ask(2, 5);
        assertThat(heard).containsExactly("5 has 1", "6 has 2", "5 has 2");
        ask(3, 7);
        ask(4, 8);
        ask(4, 7);
        ask(3, 8);
        assertThat(heard.subList(3, heard.size())).containsExactly("7 has 3", "8 has 4", "7 has 4");
    }

    @Test
    void whoHasEndedWaitsNoMore() {
        ask(1, 5);
        ask(1, 6);
        leases.release(asker(6));
        assertThat(heard).containsExactly("5 has 1", "6 lacks 1");
        leases.release(asker(5));
        assertThat(leases.count() + leases.waiting()).isZero();
    }

    /** Each asker hears once, a row has one holder at most, and nobody waits for ever. */
    @RepeatedTest(50)
    void manyAskersAllHear(RepetitionInfo repetition) {
        SeededRandom random = new SeededRandom(repetition.getCurrentRepetition());
        Map<Long, Integer> answers = new TreeMap<>();
        long asked = 0;
        for (int step = 0; step < 300; step++) {
            long number = random.nextInt(12);
            switch (random.nextInt(4)) {
                case 0 -> leases.release(asker(number));
                case 1 -> world.runFor(random.nextInt(300_000_000));
                default -> {
                    asked++;
                    leases.ask(
                            random.nextInt(4),
                            asker(number),
                            random.nextInt(2) * PATIENCE_NANOS,
                            _ -> answers.merge(number, 1, Integer::sum));
                }
            }
            assertThat(leases.count()).isLessThanOrEqualTo(4);
        }
        world.runFor(PATIENCE_NANOS + 4 * LASTS_NANOS);
        assertThat(answers.values().stream().mapToLong(Integer::longValue).sum())
                .isEqualTo(asked);
        assertThat(leases.waiting()).isZero();
        for (long number = 0; number < 12; number++) {
            leases.release(asker(number));
        }
        assertThat(leases.count()).isZero();
    }
}
