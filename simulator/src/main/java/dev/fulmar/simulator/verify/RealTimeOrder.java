package dev.fulmar.simulator.verify;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The order that real time gives: a transaction that was answered before another was asked for comes first. Only the
 * pairs from which the others follow are given.
 */
final class RealTimeOrder {
    private RealTimeOrder() {}

    /** Takes a pair. */
    @FunctionalInterface
    interface Pairs {
        void before(int earlier, int later);
    }

    /** Gives the pairs of the members, which are positions in the history. */
    static void forEachPair(List<Transaction> history, List<Integer> members, Pairs pairs) {
        List<Integer> byInvocation = members.stream()
                .sorted(Comparator.comparingLong(member -> history.get(member).invokedNanos()))
                .toList();
        List<Integer> byCompletion = members.stream()
                .filter(member -> history.get(member).completedNanos() != Transaction.NEVER)
                .sorted(Comparator.comparingLong(member -> history.get(member).completedNanos()))
                .toList();
        // Of the completed ones, those that no other completed one follows entirely: everything else is before one of
        // them.
        List<Integer> frontier = new ArrayList<>();
        int completed = 0;
        for (int later : byInvocation) {
            long invoked = history.get(later).invokedNanos();
            while (completed < byCompletion.size()
                    && history.get(byCompletion.get(completed)).completedNanos() < invoked) {
                int next = byCompletion.get(completed++);
                long nextInvoked = history.get(next).invokedNanos();
                frontier.removeIf(earlier -> history.get(earlier).completedNanos() < nextInvoked);
                frontier.add(next);
            }
            for (int earlier : frontier) {
                pairs.before(earlier, later);
            }
        }
    }
}
