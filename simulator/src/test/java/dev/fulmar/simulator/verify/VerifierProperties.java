package dev.fulmar.simulator.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.simulator.verify.Transaction.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Random histories of a database that is right, which must pass, and of one that is wrong, which must not. */
class VerifierProperties {
    private static final int TRANSACTIONS = 400;
    private static final int KEYS = 5;

    /** What a wrong database does now and then. */
    private enum Fault {
        NONE,
        /** Answers from a state that some transactions have left behind. */
        STALE_READ,
        /** Forgets the writes of a transaction. */
        LOST_TRANSACTION,
        /** Forgets one write of a transaction. */
        LOST_WRITE,
        /** Keeps the writes of a transaction that it says has failed. */
        FAILED_BUT_DONE
    }

    /** Transactions take effect one by one, each somewhere between question and answer. */
    private static final class ToyDatabase {
        private final SeededRandom random;
        private final Fault fault;
        private final List<Transaction> history = new ArrayList<>();
        private final Map<Long, List<Long>> lists = new HashMap<>();
        private final Map<Long, Long> registers = new HashMap<>();
        private Map<Long, List<Long>> oldLists = new HashMap<>();
        private long nextValue = 1;
        private int faults;

        ToyDatabase(long seed, Fault fault) {
            this.random = new SeededRandom(seed);
            this.fault = fault;
        }

        List<Transaction> run() {
            for (int i = 0; i < TRANSACTIONS; i++) {
                long effect = i * 10L;
                if (i % 20 == 0) {
                    oldLists = new HashMap<>();
                    lists.forEach((key, elements) -> oldLists.put(key, List.copyOf(elements)));
                }
                transaction(i, effect - random.nextInt(40), effect + 1 + random.nextInt(40));
            }
            return history;
        }

        private void transaction(int order, long invoked, long completed) {
            int draw = random.nextInt(20);
            Outcome outcome = draw == 0 ? Outcome.FAILED : draw == 1 ? Outcome.UNKNOWN : Outcome.OK;
            boolean faulty = fault != Fault.NONE && order > 60 && random.nextInt(8) == 0;
            boolean takesEffect = outcome == Outcome.OK || (outcome == Outcome.UNKNOWN && random.nextBoolean());
            if (faulty && fault == Fault.LOST_TRANSACTION) {
                faults++;
                takesEffect = false;
            } else if (faulty && fault == Fault.FAILED_BUT_DONE && outcome == Outcome.FAILED) {
                faults++;
                takesEffect = true;
            }
            List<Operation> operations = new ArrayList<>();
            boolean stale = faulty && fault == Fault.STALE_READ;
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                operation(operations, random.nextInt(KEYS), takesEffect, faulty && fault == Fault.LOST_WRITE, stale);
            }
            if (outcome != Outcome.OK) {
                operations.removeIf(
                        each -> each instanceof Operation.ReadList || each instanceof Operation.ReadRegister);
            }
            history.add(new Transaction(
                    order,
                    invoked,
                    outcome == Outcome.UNKNOWN ? Transaction.NEVER : completed,
                    outcome,
                    operations,
                    takesEffect ? OptionalLong.of(order) : OptionalLong.empty()));
        }

        private void operation(
                List<Operation> operations, long key, boolean takesEffect, boolean loses, boolean stale) {
            Map<Long, List<Long>> readFrom = stale ? oldLists : lists;
            // A transaction that only pretends, or that reads the past, must not read a key that it wrote: it would not
            // see its write.
            boolean wrote = operations.stream()
                    .anyMatch(each ->
                            each.key() == key && (each instanceof Operation.Append || each instanceof Operation.Write));
            switch (random.nextInt(4)) {
                case 0 -> {
                    operations.add(new Operation.Append(key, nextValue));
                    if (takesEffect && !(loses && operations.size() == 1)) {
                        lists.computeIfAbsent(key, any -> new ArrayList<>()).add(nextValue);
                    } else {
                        faults += loses ? 1 : 0;
                    }
                    nextValue++;
                }
                case 1 -> {
                    operations.add(new Operation.Write(key, nextValue));
                    if (takesEffect) {
                        registers.put(key, nextValue);
                    }
                    nextValue++;
                }
                case 2 -> {
                    if (!wrote || (takesEffect && !stale && !loses)) {
                        List<Long> seen = readFrom.getOrDefault(key, List.of());
                        faults += stale && !seen.equals(lists.getOrDefault(key, List.of())) ? 1 : 0;
                        operations.add(new Operation.ReadList(key, seen));
                    }
                }
                default -> {
                    if (!wrote || (takesEffect && !stale && !loses)) {
                        Long value = registers.get(key);
                        operations.add(new Operation.ReadRegister(
                                key, value == null ? OptionalLong.empty() : OptionalLong.of(value)));
                    }
                }
            }
        }
    }

    @Test
    void aRightDatabaseIsNeverConvicted() {
        for (long seed = 0; seed < 150; seed++) {
            List<Transaction> history = new ToyDatabase(seed, Fault.NONE).run();
            Verdict verdict = new StrictSerializabilityVerifier().verify(history);
            assertThat(verdict.violations()).as("seed %s", seed).isEmpty();
            assertThat(verdict.committed()).isGreaterThan(TRANSACTIONS / 2);
            assertThat(new ClaimedOrderVerifier().verify(history).violations())
                    .as("seed %s", seed)
                    .isEmpty();
        }
    }

    @Test
    void aWrongDatabaseIsAlwaysConvicted() {
        for (Fault fault : Fault.values()) {
            for (long seed = 0; fault != Fault.NONE && seed < 40; seed++) {
                ToyDatabase database = new ToyDatabase(seed, fault);
                List<Transaction> history = database.run();
                boolean visible = fault == Fault.FAILED_BUT_DONE ? sawAFailedWrite(history) : database.faults > 0;
                if (visible) {
                    assertThat(new StrictSerializabilityVerifier()
                                    .verify(history)
                                    .violations())
                            .as("%s with seed %s", fault, seed)
                            .isNotEmpty();
                }
            }
        }
    }

    /** A failed write that nobody reads leaves no trace in a history, so nobody can be convicted of it. */
    private static boolean sawAFailedWrite(List<Transaction> history) {
        Set<Long> failed = new HashSet<>();
        for (Transaction transaction : history) {
            for (Operation operation : transaction.operations()) {
                if (transaction.outcome() == Outcome.FAILED && operation instanceof Operation.Append append) {
                    failed.add(append.element());
                } else if (transaction.outcome() == Outcome.FAILED && operation instanceof Operation.Write write) {
                    failed.add(write.value());
                }
            }
        }
        for (Transaction transaction : history) {
            for (Operation operation : transaction.operations()) {
                if (operation instanceof Operation.ReadList read
                        && read.elements().stream().anyMatch(failed::contains)) {
                    return true;
                }
                if (operation instanceof Operation.ReadRegister read
                        && read.value().isPresent()
                        && failed.contains(read.value().getAsLong())) {
                    return true;
                }
            }
        }
        return false;
    }

    @Test
    void swappingTwoReadsOrDroppingAWriteIsCaught() {
        int caught = 0;
        for (long seed = 0; seed < 60; seed++) {
            SeededRandom random = new SeededRandom(seed);
            List<Transaction> history = new ArrayList<>(new ToyDatabase(seed, Fault.NONE).run());
            int victim = 200 + random.nextInt(100);
            while (history.get(victim).outcome() != Outcome.OK
                    || history.get(victim).operations().stream().noneMatch(Operation.Append.class::isInstance)) {
                victim++;
            }
            Transaction old = history.get(victim);
            List<Operation> withoutAppends = old.operations().stream()
                    .filter(operation -> !(operation instanceof Operation.Append))
                    .toList();
            history.set(
                    victim,
                    new Transaction(
                            old.process(),
                            old.invokedNanos(),
                            old.completedNanos(),
                            Outcome.OK,
                            withoutAppends,
                            old.claimedOrder()));
            caught += new StrictSerializabilityVerifier().verify(history).isGood() ? 0 : 1;
        }
        assertThat(caught).isEqualTo(60);
    }

    @Test
    void timeIsLinearInTheHistory() {
        List<Transaction> history = new ArrayList<>();
        for (int copy = 0; copy < 100; copy++) {
            for (Transaction each : new ToyDatabase(copy, Fault.NONE).run()) {
                history.add(shifted(each, copy));
            }
        }
        assertThat(history).hasSize(40_000);
        assertThat(new StrictSerializabilityVerifier().verify(history).violations())
                .isEmpty();
    }

    private static Transaction shifted(Transaction each, int copy) {
        long time = copy * 10_000L;
        long keys = copy * 100L;
        List<Operation> operations = new ArrayList<>();
        for (Operation operation : each.operations()) {
            operations.add(
                    switch (operation) {
                        case Operation.Append(long key, long element) -> new Operation.Append(key + keys, element);
                        case Operation.ReadList(long key, List<Long> elements) ->
                            new Operation.ReadList(key + keys, elements);
                        case Operation.Write(long key, long value) -> new Operation.Write(key + keys, value);
                        case Operation.ReadRegister(long key, OptionalLong value) ->
                            new Operation.ReadRegister(key + keys, value);
                    });
        }
        boolean open = each.completedNanos() == Transaction.NEVER;
        return new Transaction(
                each.process(),
                each.invokedNanos() + time,
                open ? Transaction.NEVER : each.completedNanos() + time,
                each.outcome(),
                operations,
                each.claimedOrder());
    }
}
