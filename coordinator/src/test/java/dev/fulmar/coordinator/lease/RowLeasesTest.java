package dev.fulmar.coordinator.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.execution.RowArea;
import dev.fulmar.engine.execution.RowArea.Extent;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Leases in the order of age, with time-outs and without deadlocks. */
class RowLeasesTest {
    private static final long LASTS_NANOS = 1_000_000_000;
    private static final int TABLE = 3;
    private static final long CLIENT = 9;
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final SimulatedProcess process = world.startProcess(new NodeId(0));
    private final TreeSet<Long> cancelled = new TreeSet<>();
    private final RowLeases leases = new RowLeases(
            process.clock(), process.scheduler(), LASTS_NANOS, wish -> cancelled.contains(wish.requestId()));
    private final List<String> heard = new ArrayList<>();

    private static LeaseAsker asker(long number) {
        return new LeaseAsker(number, number);
    }

    /** The row with that key in the first column. */
    private static RowArea row(long key) {
        return new RowArea(TABLE, key, List.of(new Extent(0, key, key, key)));
    }

    private static RowArea range(long from, long to) {
        return new RowArea(TABLE, 0, List.of(new Extent(0, from, to, 0)));
    }

    private void ask(RowArea area, long number, long patienceNanos, String what) {
        leases.ask(
                new LeaseWish(area, asker(number), patienceNanos, true, CLIENT, number),
                granted -> heard.add(number + (granted ? " has " : " lacks ") + what));
    }

    private void ask(long row, long number, long patienceNanos) {
        ask(row(row), number, patienceNanos, String.valueOf(row));
    }

    private void askRange(long from, long to, long number) {
        ask(range(from, to), number, PATIENCE_NANOS, from + "-" + to);
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
    void aRowIsOfAnotherWhileItsLeaseLasts() {
        assertThat(leases.isOfAnother(row(1), asker(6))).isFalse();
        ask(1, 5);
        assertThat(leases.isOfAnother(row(1), asker(6))).isTrue();
        assertThat(leases.isOfAnother(row(1), asker(5))).isFalse();
        assertThat(leases.isOfAnother(row(2), asker(6))).isFalse();
        world.runFor(LASTS_NANOS);
        assertThat(leases.isOfAnother(row(1), asker(6))).isFalse();
        ask(1, 7);
        leases.release(asker(7));
        assertThat(leases.isOfAnother(row(1), asker(6))).isFalse();
        assertThat(leases.count()).as("to ask takes nothing").isZero();
    }

    @Test
    void anAskerThatWaitsInVainHearsInTheEnd() {
        ask(1, 5);
        ask(1, 6, LASTS_NANOS / 10);
        world.runFor(LASTS_NANOS / 5);
        assertThat(heard).containsExactly("5 has 1", "6 lacks 1");
    }

    @Test
    void whoIsCancelledWaitsNoLonger() {
        ask(1, 5);
        askRange(1, 2, 6);
        ask(2, 7);
        leases.cancel(CLIENT + 1, 6);
        leases.cancel(CLIENT, 4);
        assertThat(leases.waiting()).isEqualTo(2);
        leases.cancel(CLIENT, 6);
        assertThat(heard).containsExactly("5 has 1", "6 lacks 1-2", "7 has 2");
        leases.cancel(CLIENT, 5);
        assertThat(leases.isOfAnother(row(1), asker(6)))
                .as("who has a lease keeps it")
                .isTrue();
    }

    /** A cancel is noted first, so one of the two sees the other. */
    @Test
    void whoIsCancelledDoesNotBeginToWait() {
        ask(1, 5);
        cancelled.add(6L);
        ask(1, 6);
        assertThat(heard).containsExactly("5 has 1", "6 lacks 1");
        assertThat(leases.waiting()).isZero();
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

    @Test
    void aRangeAndItsRowsAreOfOne() {
        askRange(10, 20, 5);
        ask(15, 6);
        ask(21, 7);
        askRange(1, 9, 8);
        askRange(20, 30, 9);
        ask(12, 5);
        assertThat(heard).containsExactly("5 has 10-20", "7 has 21", "8 has 1-9", "5 has 12");
        leases.release(asker(7));
        leases.release(asker(5));
        assertThat(heard.subList(4, heard.size())).containsExactly("6 has 15", "9 has 20-30");
        askRange(14, 16, 4);
        assertThat(heard).hasSize(6);
        leases.release(asker(6));
        assertThat(heard.subList(6, heard.size())).containsExactly("4 has 14-16");
    }

    /** Else rows that are asked for all the time would keep a range waiting for ever. */
    @Test
    void theyDoNotOvertakeAnOlderOneThatWaitsForARange() {
        ask(11, 5);
        askRange(10, 20, 6);
        ask(15, 7);
        ask(25, 8);
        ask(16, 3);
        assertThat(heard).containsExactly("5 has 11", "8 has 25", "3 has 16");
        leases.release(asker(5));
        assertThat(heard).hasSize(3);
        leases.release(asker(3));
        assertThat(heard.subList(3, heard.size())).containsExactly("6 has 10-20");
        leases.release(asker(6));
        assertThat(heard.subList(4, heard.size())).containsExactly("7 has 15");
    }

    /** The younger one behind it need not wait for what it does not wait for any more. */
    @Test
    void aRangeThatIsNotWaitedForAnyMoreHoldsUpNothing() {
        ask(11, 5);
        ask(range(10, 20), 6, LASTS_NANOS / 10, "10-20");
        ask(15, 7);
        world.runFor(LASTS_NANOS / 5);
        assertThat(heard).containsExactly("5 has 11", "6 lacks 10-20", "7 has 15");
        askRange(10, 20, 8);
        ask(18, 9);
        leases.release(asker(8));
        assertThat(heard.subList(3, heard.size())).containsExactly("8 lacks 10-20", "9 has 18");
    }

    /** Each has what the other one wants, as a row here and as a range there. */
    @Test
    void anOlderOneTakesARangeFromAYoungerOneThatWaits() {
        ask(1, 5);
        askRange(10, 20, 6);
        ask(1, 6);
        ask(12, 5);
        assertThat(heard).containsExactly("5 has 1", "6 has 10-20", "5 has 12");
        leases.release(asker(5));
        assertThat(heard.subList(3, heard.size())).containsExactly("6 has 1");
        leases.release(asker(6));
        assertThat(leases.count() + leases.waiting()).isZero();
    }

    /** It waits for two others; that one of them gives way is not enough. */
    @Test
    void aRangeWaitsForAllThatHaveSomeOfIt() {
        ask(1, 4);
        ask(11, 7);
        ask(12, 8);
        ask(1, 8);
        askRange(10, 20, 6);
        assertThat(heard).containsExactly("4 has 1", "7 has 11", "8 has 12");
        leases.release(asker(7));
        assertThat(heard.subList(3, heard.size())).containsExactly("6 has 10-20");
        leases.release(asker(6));
        leases.release(asker(4));
        assertThat(heard.subList(4, heard.size())).containsExactly("8 has 1");
    }

    @Test
    void aRangeThatIsNotUsedEnds() {
        askRange(10, 20, 5);
        ask(15, 6);
        askRange(18, 30, 7);
        world.runFor(LASTS_NANOS / 2);
        assertThat(heard).hasSize(1);
        world.runFor(LASTS_NANOS);
        assertThat(heard).containsExactly("5 has 10-20", "6 has 15", "7 has 18-30");
        assertThat(leases.count()).isEqualTo(2);
    }

    @Test
    void writersWaitOnlyForLeasesThatKeepThem() {
        leases.ask(new LeaseWish(row(1), asker(5), 0, false, CLIENT, 5), granted -> {});
        assertThat(leases.keepsWriters()).isFalse();
        assertThat(leases.keepsOff(row(1), asker(6))).isFalse();
        ask(1, 5);
        askRange(10, 20, 5);
        assertThat(leases.keepsWriters()).isTrue();
        assertThat(leases.keepsOff(range(1, 1), asker(6))).isTrue();
        assertThat(leases.keepsOff(range(20, 40), asker(6))).isTrue();
        assertThat(leases.keepsOff(range(20, 40), asker(5))).as("its own").isFalse();
        assertThat(leases.keepsOff(range(21, 40), asker(6))).isFalse();
        assertThat(leases.keepsOff(new RowArea(TABLE + 1, 0, List.of()), asker(6)))
                .isFalse();
        leases.release(asker(5));
        assertThat(leases.keepsWriters()).isFalse();
        assertThat(leases.count()).isZero();
    }

    /** Leases of a node that is gone end without a request. */
    @Test
    void writersForgetLeasesThatHaveEnded() {
        askRange(10, 20, 5);
        world.runFor(2 * LASTS_NANOS);
        assertThat(leases.keepsOff(row(15), asker(6))).isFalse();
        assertThat(leases.keepsWriters()).isFalse();
        assertThat(leases.count()).isZero();
    }

    /** A lease is a courtesy: it is not worth more memory. */
    @Test
    void thereAreOnlySoManyLeases() {
        for (int i = 0; i < RowLeases.MOST_RANGES + 2; i++) {
            askRange(10L * i, 10L * i + 5, 5);
        }
        assertThat(leases.count()).isEqualTo(RowLeases.MOST_RANGES);
        for (int i = 0; i < RowLeases.MOST_LEASES; i++) {
            ask(1_000_000 + i, 6);
        }
        assertThat(leases.count()).isEqualTo(RowLeases.MOST_LEASES);
        assertThat(heard).allMatch(answer -> answer.contains(" has "));
        leases.release(asker(5));
        leases.release(asker(6));
        assertThat(leases.count() + leases.waiting()).isZero();
    }

    /** Each asker hears once, leases that meet have one holder, and nobody waits for ever. */
    @RepeatedTest(50)
    void manyAskersAllHear(RepetitionInfo repetition) {
        SeededRandom random = new SeededRandom(repetition.getCurrentRepetition());
        Map<Long, Integer> answers = new TreeMap<>();
        long asked = 0;
        for (int step = 0; step < 300; step++) {
            long number = random.nextInt(12);
            switch (random.nextInt(5)) {
                case 0 -> leases.release(asker(number));
                case 1 -> world.runFor(random.nextInt(300_000_000));
                case 2 -> leases.cancel(CLIENT, number);
                default -> {
                    asked++;
                    long from = random.nextInt(4) + 1L;
                    RowArea area = random.nextInt(3) == 0 ? range(from, from + random.nextInt(3)) : row(from);
                    leases.ask(
                            new LeaseWish(
                                    area,
                                    asker(number),
                                    random.nextInt(2) * PATIENCE_NANOS,
                                    random.nextInt(2) == 0,
                                    CLIENT,
                                    number),
                            _ -> answers.merge(number, 1, Integer::sum));
                }
            }
            assertThat(leases.areOfOneEach()).isTrue();
        }
        world.runFor(PATIENCE_NANOS + 4 * LASTS_NANOS);
        assertThat(answers.values().stream().mapToLong(Integer::longValue).sum())
                .isEqualTo(asked);
        assertThat(leases.waiting()).isZero();
        for (long number = 0; number < 12; number++) {
            leases.release(asker(number));
        }
        assertThat(leases.count()).isZero();
        assertThat(leases.keepsWriters()).isFalse();
    }
}
