package dev.fulmar.simulator.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.simulator.verify.Transaction.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Thousands of small histories, right ones and wrong ones, before the verifier and before {@link EveryOrder}, which
 * knows the definition only.
 */
class TwoJudgesTest {
    private static final int MOST_TRANSACTIONS = 6;
    private static final int MOST_OPERATIONS = 3;
    private static final int KEYS = 2;
    private static final int HISTORIES = Integer.getInteger("verify.histories", 20_000);

    /** A small database, run in some order; then, perhaps, things are changed in what clients say they saw. */
    private static final class SmallHistory {
        private final RandomSource random;
        private final boolean hasRegisters;
        private final Map<Long, List<Long>> lists = new HashMap<>();
        private final Map<Long, Long> registers = new HashMap<>();
        private final List<Transaction> transactions = new ArrayList<>();
        private long lastValue;

        SmallHistory(long seed, boolean hasRegisters) {
            this.random = new SeededRandom(seed);
            this.hasRegisters = hasRegisters;
        }

        /** Ends with a reader of all lists, so that every order of appends is known. */
        List<Transaction> draw() {
            int count = 2 + random.nextInt(MOST_TRANSACTIONS - 1);
            int spread = 1 + random.nextInt(30);
            for (int i = 0; i < count; i++) {
                long effect = 100 + 10L * i;
                add(effect - random.nextInt(spread), effect + 1 + random.nextInt(spread));
            }
            for (int changes = random.nextInt(3); changes > 0; changes--) {
                change();
            }
            List<Operation> all = new ArrayList<>();
            for (long key = 0; key < KEYS; key++) {
                all.add(new Operation.ReadList(key, lists.getOrDefault(key, List.of())));
            }
            transactions.add(new Transaction(99, 1_000, 1_001, Outcome.OK, all, OptionalLong.empty()));
            return List.copyOf(transactions);
        }

        private void add(long invoked, long completed) {
            int draw = random.nextInt(10);
            Outcome outcome = draw == 0 ? Outcome.FAILED : draw == 1 ? Outcome.UNKNOWN : Outcome.OK;
            boolean happens = outcome == Outcome.OK || (outcome == Outcome.UNKNOWN && random.nextInt(2) == 0);
            List<Operation> operations = new ArrayList<>();
            for (int i = 1 + random.nextInt(MOST_OPERATIONS); i > 0; i--) {
                operation(random.nextInt(KEYS), happens, outcome == Outcome.OK, operations);
            }
            transactions.add(new Transaction(
                    transactions.size(),
                    invoked,
                    outcome == Outcome.UNKNOWN ? Transaction.NEVER : completed,
                    outcome,
                    operations,
                    OptionalLong.empty()));
        }

        private void operation(long key, boolean happens, boolean reads, List<Operation> operations) {
            switch (random.nextInt(hasRegisters ? 4 : 2)) {
                case 0 -> {
                    operations.add(new Operation.Append(key, ++lastValue));
                    if (happens) {
                        lists.computeIfAbsent(key, any -> new ArrayList<>()).add(lastValue);
                    }
                }
                case 1 -> {
                    if (reads) {
                        operations.add(new Operation.ReadList(key, lists.getOrDefault(key, List.of())));
                    }
                }
                case 2 -> {
                    operations.add(new Operation.Write(key, ++lastValue));
                    if (happens) {
                        registers.put(key, lastValue);
                    }
                }
                default -> {
                    if (reads) {
                        Long value = registers.get(key);
                        operations.add(new Operation.ReadRegister(
                                key, value == null ? OptionalLong.empty() : OptionalLong.of(value)));
                    }
                }
            }
        }

        /** Makes one transaction say something else. */
        private void change() {
            int place = random.nextInt(transactions.size());
            Transaction old = transactions.get(place);
            List<Operation> operations = new ArrayList<>(old.operations());
            if (operations.isEmpty()) {
                return;
            }
            int which = random.nextInt(operations.size());
            long later = 0;
            Outcome outcome = old.outcome();
            switch (random.nextInt(6)) {
                case 0 -> later = 50L - random.nextInt(100);
                case 1 -> operations.remove(which);
                case 2 -> outcome = outcome == Outcome.OK ? Outcome.FAILED : outcome;
                default -> operations.set(which, changed(operations.get(which)));
            }
            boolean isOpen = old.outcome() == Outcome.UNKNOWN;
            transactions.set(
                    place,
                    new Transaction(
                            old.process(),
                            old.invokedNanos() + later,
                            isOpen ? Transaction.NEVER : old.completedNanos() + later,
                            outcome,
                            operations,
                            old.claimedOrder()));
        }

        private Operation changed(Operation old) {
            return switch (old) {
                case Operation.ReadList(long key, List<Long> elements) ->
                    new Operation.ReadList(key, changed(elements, lists.getOrDefault(key, List.of())));
                case Operation.ReadRegister(long key, OptionalLong _) ->
                    new Operation.ReadRegister(
                            key,
                            lastValue == 0
                                    ? OptionalLong.empty()
                                    : OptionalLong.of(1 + random.nextInt((int) lastValue)));
                case Operation.Append _, Operation.Write _ -> old;
            };
        }

        /** Less than was seen, more, or the same in another order. */
        private List<Long> changed(List<Long> seen, List<Long> atLast) {
            List<Long> next = new ArrayList<>(atLast.subList(0, random.nextInt(atLast.size() + 1)));
            if (next.size() > 1 && random.nextInt(4) == 0) {
                next.add(next.removeFirst());
            }
            return random.nextInt(6) == 0 ? seen : next;
        }
    }

    /**
     * Where the order of all writes is known, circles are all that can be wrong: both judges say the same of every
     * history.
     */
    @Test
    void listsAreJudgedAlike() {
        int wrong = 0;
        Set<Anomaly> found = new TreeSet<>();
        for (long seed = 0; seed < HISTORIES; seed++) {
            List<Transaction> history = new SmallHistory(seed, false).draw();
            Verdict verdict = new StrictSerializabilityVerifier().verify(history);
            assertThat(verdict.isGood())
                    .as("seed %s: %s%n%s", seed, verdict.violations(), history)
                    .isEqualTo(EveryOrder.explains(history));
            wrong += verdict.isGood() ? 0 : 1;
            verdict.violations().forEach(violation -> found.add(violation.anomaly()));
        }
        assertThat(wrong).isGreaterThan(HISTORIES / 10);
        assertThat(found)
                .contains(
                        Anomaly.ABORTED_READ,
                        Anomaly.INTERMEDIATE_READ,
                        Anomaly.INTERNAL,
                        Anomaly.INCOMPATIBLE_ORDER,
                        Anomaly.G1C,
                        Anomaly.G_SINGLE,
                        Anomaly.G2,
                        Anomaly.G0_REALTIME,
                        Anomaly.G1C_REALTIME,
                        Anomaly.G_SINGLE_REALTIME);
    }

    /**
     * The order of a register's values is not always known, so that the verifier may let something pass; it never
     * convicts without a reason.
     */
    @Test
    void registersAreNeverConvictedWithoutAReason() {
        int wrong = 0;
        int convicted = 0;
        for (long seed = 0; seed < HISTORIES; seed++) {
            List<Transaction> history = new SmallHistory(seed, true).draw();
            Verdict verdict = new StrictSerializabilityVerifier().verify(history);
            boolean isRight = EveryOrder.explains(history);
            if (isRight) {
                assertThat(verdict.violations())
                        .as("seed %s: %s", seed, history)
                        .isEmpty();
            } else {
                wrong++;
                convicted += verdict.isGood() ? 0 : 1;
            }
        }
        assertThat(wrong).isGreaterThan(HISTORIES / 10);
        assertThat(convicted).isGreaterThan(wrong * 9 / 10);
    }

    @Test
    void theSecondJudgeKnowsRightFromWrong() {
        Histories right = new Histories()
                .ok(0, 10, Histories.append(1, 1))
                .unknown(5, Histories.append(1, 2))
                .failed(5, 6, Histories.append(1, 3))
                .ok(20, 30, Histories.list(1, 1L, 2L));
        assertThat(EveryOrder.explains(right.transactions())).isTrue();
        Histories stale = new Histories().ok(0, 10, Histories.append(1, 1)).ok(20, 30, Histories.list(1));
        assertThat(EveryOrder.explains(stale.transactions())).isFalse();
        Histories skew = new Histories()
                .ok(0, 10, Histories.list(1), Histories.append(2, 1))
                .ok(0, 10, Histories.list(2), Histories.append(1, 2));
        assertThat(EveryOrder.explains(skew.transactions())).isFalse();
    }
}
