package dev.fulmar.coordinator.durability.replica;

import dev.fulmar.foundation.check.Invariants;
import java.util.ArrayDeque;
import java.util.List;

/** Tasks that wait until all that was logged before them is safe. One thread. */
final class CommitCallbacks {
    /** @param number that must be safe */
    private record Waiting(long number, Runnable task, Runnable lost) {}

    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    /**
     * Numbers never fall from one task to the next.
     *
     * @param lost run in place of the task if the term ends before
     */
    void add(long number, Runnable task, Runnable lost) {
        Invariants.check(
                waiting.isEmpty() || waiting.getLast().number <= number,
                "a primary's task waits for no earlier group than the tasks before it");
        waiting.addLast(new Waiting(number, task, lost));
    }

    /** Runs what waited for the number, in order. */
    void run(long safeNumber) {
        while (!waiting.isEmpty() && waiting.getFirst().number <= safeNumber) {
            waiting.removeFirst().task.run();
        }
    }

    /** The term has ended. */
    void lose() {
        List<Waiting> lost = List.copyOf(waiting);
        waiting.clear();
        lost.forEach(each -> each.lost.run());
    }
}
