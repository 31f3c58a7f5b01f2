package dev.fulmar.simulator.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Finds few faults that still make a run fail. It leaves out halves, then quarters, and so on, as long as the run fails
 * without them (after Zeller's delta debugging).
 */
public final class FaultReduction {
    private FaultReduction() {}

    /**
     * @param faults with which the run fails
     * @param mostRuns that may be made
     * @param fails whether the run fails with only these faults
     */
    public static Set<Integer> reduce(Set<Integer> faults, int mostRuns, Predicate<Set<Integer>> fails) {
        Set<Integer> needed = new TreeSet<>(faults);
        int runs = 0;
        int piece = Math.max(1, needed.size());
        while (piece >= 1) {
            boolean isSmaller = false;
            List<Integer> order = new ArrayList<>(needed);
            for (int from = 0; from < order.size(); from += piece) {
                if (runs == mostRuns) {
                    return needed;
                }
                Set<Integer> fewer = new TreeSet<>(needed);
                order.subList(from, Math.min(order.size(), from + piece)).forEach(fewer::remove);
                runs++;
                if (fails.test(fewer)) {
                    needed = fewer;
                    isSmaller = true;
                }
            }
            if (!isSmaller || piece > 1) {
                piece = piece / 2;
            }
            piece = needed.isEmpty() ? 0 : piece;
        }
        return needed;
    }
}
