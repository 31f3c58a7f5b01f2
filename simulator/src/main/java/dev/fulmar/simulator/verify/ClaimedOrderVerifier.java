package dev.fulmar.simulator.verify;

import dev.fulmar.simulator.verify.Operation.Append;
import dev.fulmar.simulator.verify.Operation.ReadList;
import dev.fulmar.simulator.verify.Operation.ReadRegister;
import dev.fulmar.simulator.verify.Operation.Write;
import dev.fulmar.simulator.verify.Transaction.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Judges the order that the database itself claims. It replays the transactions in it, one by one, on a model of a few
 * lines, compares every read, and checks the order against real time. Catches what only a clairvoyant database could
 * have done, for any mixture of reads and writes, in one pass.
 */
public final class ClaimedOrderVerifier {
    /**
     * Judges the history. Every transaction that took effect must claim a position; one of unknown outcome may, if the
     * database knows more than its client.
     */
    public Verdict verify(List<Transaction> history) {
        List<Violation> violations = new ArrayList<>();
        List<Transaction> claimed = new ArrayList<>();
        for (Transaction transaction : history) {
            boolean hasClaim = transaction.claimedOrder().isPresent();
            if (hasClaim && transaction.outcome() != Outcome.FAILED) {
                claimed.add(transaction);
            } else if (transaction.outcome() == Outcome.OK) {
                violations.add(new Violation(
                        Anomaly.CLAIM_MISSING, "it took effect but has no position", List.of(transaction)));
            }
        }
        claimed.sort(Comparator.comparingLong(ClaimedOrderVerifier::order));
        checkPositions(claimed, violations);
        Model model = new Model();
        for (Transaction transaction : claimed) {
            String difference = model.replay(transaction);
            if (difference != null) {
                violations.add(new Violation(Anomaly.CLAIMED_RESULT, difference, List.of(transaction)));
            }
        }
        long undecided = history.stream()
                .filter(transaction -> transaction.outcome() == Outcome.UNKNOWN
                        && transaction.claimedOrder().isEmpty())
                .count();
        return new Verdict(violations, claimed.size(), (int) undecided);
    }

    private static void checkPositions(List<Transaction> claimed, List<Violation> violations) {
        Transaction previous = null;
        Transaction latestInvoked = null;
        for (Transaction transaction : claimed) {
            if (previous != null && order(previous) == order(transaction)) {
                violations.add(new Violation(
                        Anomaly.CLAIMED_TWICE,
                        "both claim position " + order(transaction),
                        List.of(previous, transaction)));
            }
            if (latestInvoked != null && transaction.completedNanos() < latestInvoked.invokedNanos()) {
                violations.add(new Violation(
                        Anomaly.CLAIMED_REALTIME,
                        "the 2nd was answered before the 1st was asked for, and claims a later position",
                        List.of(latestInvoked, transaction)));
            }
            if (latestInvoked == null || transaction.invokedNanos() > latestInvoked.invokedNanos()) {
                latestInvoked = transaction;
            }
            previous = transaction;
        }
    }

    private static long order(Transaction transaction) {
        return transaction.claimedOrder().orElse(-1);
    }

    /** The database in a few lines. */
    private static final class Model {
        private final Map<Long, List<Long>> lists = new HashMap<>();
        private final Map<Long, Long> registers = new HashMap<>();

        /** Applies the transaction; returns what it saw otherwise than this model, or null. */
        @Nullable String replay(Transaction transaction) {
            String difference = null;
            for (Operation operation : transaction.operations()) {
                String found = replay(operation);
                difference = difference == null && transaction.outcome() == Outcome.OK ? found : difference;
            }
            return difference;
        }

        private @Nullable String replay(Operation operation) {
            return switch (operation) {
                case Append(long key, long element) -> {
                    lists.computeIfAbsent(key, any -> new ArrayList<>()).add(element);
                    yield null;
                }
                case Write(long key, long value) -> {
                    registers.put(key, value);
                    yield null;
                }
                case ReadList(long key, List<Long> elements) -> {
                    List<Long> expected = lists.getOrDefault(key, List.of());
                    yield expected.equals(elements) ? null : difference(key, elements, expected);
                }
                case ReadRegister(long key, OptionalLong value) -> {
                    Long held = registers.get(key);
                    OptionalLong expected = held == null ? OptionalLong.empty() : OptionalLong.of(held);
                    yield expected.equals(value) ? null : difference(key, value, expected);
                }
            };
        }

        private static String difference(long key, Object found, Object expected) {
            return "key " + key + " was read as " + found + " where the claimed order gives " + expected;
        }
    }
}
