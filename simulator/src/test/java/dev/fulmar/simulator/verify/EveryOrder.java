package dev.fulmar.simulator.verify;

import dev.fulmar.simulator.verify.Transaction.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Judges a small history by the definition of strict serializability alone: tries every order of its transactions that
 * real time allows, on a model that does what they say. Knows nothing of dependencies and circles, so that it can be
 * wrong only in other ways than {@link StrictSerializabilityVerifier}.
 */
final class EveryOrder {
    private final List<Transaction> history;
    private final boolean[] placed;
    private final Map<Long, List<Long>> lists = new HashMap<>();
    private final Map<Long, Long> registers = new HashMap<>();

    private EveryOrder(List<Transaction> history) {
        this.history = history;
        this.placed = new boolean[history.size()];
    }

    /** Whether there is an order in which everybody would have seen what they saw. */
    static boolean explains(List<Transaction> history) {
        return new EveryOrder(List.copyOf(history)).goesOn();
    }

    /** Whether what is not placed yet can follow what is. */
    private boolean goesOn() {
        if (isComplete()) {
            return true;
        }
        for (int next = 0; next < history.size(); next++) {
            if (!placed[next] && history.get(next).outcome() != Outcome.FAILED && mayBeNext(next) && place(next)) {
                return true;
            }
        }
        return false;
    }

    /** Those of unknown outcome may never have happened. */
    private boolean isComplete() {
        for (int i = 0; i < placed.length; i++) {
            if (!placed[i] && history.get(i).outcome() == Outcome.OK) {
                return false;
            }
        }
        return true;
    }

    /** Nobody who is still to come was answered before this one was asked for. */
    private boolean mayBeNext(int next) {
        for (int other = 0; other < placed.length; other++) {
            boolean isBefore = !placed[other]
                    && history.get(other).outcome() == Outcome.OK
                    && history.get(other).completedNanos() < history.get(next).invokedNanos();
            if (isBefore) {
                return false;
            }
        }
        return true;
    }

    private boolean place(int next) {
        Map<Long, List<Long>> listsBefore = new HashMap<>();
        lists.forEach((key, elements) -> listsBefore.put(key, List.copyOf(elements)));
        Map<Long, Long> registersBefore = new HashMap<>(registers);
        placed[next] = true;
        if (runs(history.get(next)) && goesOn()) {
            return true;
        }
        placed[next] = false;
        lists.clear();
        listsBefore.forEach((key, elements) -> lists.put(key, new ArrayList<>(elements)));
        registers.clear();
        registers.putAll(registersBefore);
        return false;
    }

    /** Whether the transaction sees now what its client saw. */
    private boolean runs(Transaction transaction) {
        boolean counts = transaction.outcome() == Outcome.OK;
        for (Operation operation : transaction.operations()) {
            boolean isRight = switch (operation) {
                case Operation.Append(long key, long element) -> list(key).add(element);
                case Operation.ReadList(long key, List<Long> elements) ->
                    !counts || list(key).equals(elements);
                case Operation.Write(long key, long value) -> {
                    registers.put(key, value);
                    yield true;
                }
                case Operation.ReadRegister(long key, OptionalLong value) -> !counts || value.equals(register(key));
            };
            if (!isRight) {
                return false;
            }
        }
        return true;
    }

    private List<Long> list(long key) {
        return lists.computeIfAbsent(key, any -> new ArrayList<>());
    }

    private OptionalLong register(long key) {
        Long value = registers.get(key);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }
}
