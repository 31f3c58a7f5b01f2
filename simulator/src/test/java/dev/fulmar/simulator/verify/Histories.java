package dev.fulmar.simulator.verify;

import dev.fulmar.simulator.verify.Transaction.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/** Writes histories down by hand. */
final class Histories {
    private final List<Transaction> transactions = new ArrayList<>();

    static Operation append(long key, long element) {
        return new Operation.Append(key, element);
    }

    static Operation list(long key, Long... elements) {
        return new Operation.ReadList(key, Arrays.asList(elements));
    }

    static Operation write(long key, long value) {
        return new Operation.Write(key, value);
    }

    static Operation read(long key, long value) {
        return new Operation.ReadRegister(key, OptionalLong.of(value));
    }

    static Operation absent(long key) {
        return new Operation.ReadRegister(key, OptionalLong.empty());
    }

    Histories ok(long invoked, long completed, Operation... operations) {
        return add(invoked, completed, Outcome.OK, OptionalLong.empty(), operations);
    }

    /** One that asked for some state of everything. */
    Histories old(long invoked, long completed, Operation... operations) {
        transactions.add(new Transaction(
                transactions.size(),
                invoked,
                completed,
                Outcome.OK,
                Arrays.asList(operations),
                OptionalLong.empty(),
                true,
                false));
        return this;
    }

    /** One of snapshot isolation. */
    Histories snapshot(long invoked, long completed, Operation... operations) {
        transactions.add(new Transaction(
                transactions.size(),
                invoked,
                completed,
                Outcome.OK,
                Arrays.asList(operations),
                OptionalLong.empty(),
                false,
                true));
        return this;
    }

    Histories claimed(long order, long invoked, long completed, Operation... operations) {
        return add(invoked, completed, Outcome.OK, OptionalLong.of(order), operations);
    }

    Histories failed(long invoked, long completed, Operation... operations) {
        return add(invoked, completed, Outcome.FAILED, OptionalLong.empty(), operations);
    }

    Histories unknown(long invoked, Operation... operations) {
        return add(invoked, Transaction.NEVER, Outcome.UNKNOWN, OptionalLong.empty(), operations);
    }

    private Histories add(long invoked, long completed, Outcome outcome, OptionalLong order, Operation... operations) {
        transactions.add(
                new Transaction(transactions.size(), invoked, completed, outcome, Arrays.asList(operations), order));
        return this;
    }

    List<Transaction> transactions() {
        return List.copyOf(transactions);
    }

    List<Anomaly> found() {
        return new StrictSerializabilityVerifier()
                .verify(transactions).violations().stream()
                        .map(Violation::anomaly)
                        .toList();
    }

    List<Anomaly> foundInClaims() {
        return new ClaimedOrderVerifier()
                .verify(transactions).violations().stream()
                        .map(Violation::anomaly)
                        .toList();
    }
}
