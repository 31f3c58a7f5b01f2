package dev.fulmar.simulator.cluster;

import dev.fulmar.foundation.random.RandomSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Faults of a run, and their times: some kinds only, each seed others, so that rare combinations come about. */
record FaultPlan(List<Fault> faults) {
    private static final long MILLI = 1_000_000;
    private static final int KIND_ONE_IN = 3;
    private static final int MOST_GAP_MILLIS = 5_000;
    private static final int MOST_DURATION_MILLIS = 6_000;
    private static final int MOST_AMBUSH_GAP_MILLIS = 2_600;
    private static final int MOST_AMBUSH_MILLIS = 1_500;

    /** Kinds of ambushes, and of moments, in one run. */
    private static final int VARIETY = 2;

    FaultPlan {
        faults = List.copyOf(faults);
    }

    /** @param durationNanos in which all of them begin and end */
    static FaultPlan draw(RandomSource random, ClusterScenario scenario, long durationNanos) {
        List<FaultKind> kinds = new ArrayList<>();
        do {
            for (FaultKind kind : FaultKind.values()) {
                if (random.nextInt(KIND_ONE_IN) == 0 && !kind.isAmbush()) {
                    kinds.add(kind);
                }
            }
        } while (kinds.size() < 2);
        int gapMillis = 300 + random.nextInt(MOST_GAP_MILLIS);
        int mostMillis = 500 + random.nextInt(MOST_DURATION_MILLIS);
        List<Fault> faults = new ArrayList<>();
        long at = random.nextInt(gapMillis) * MILLI;
        while (at < durationNanos) {
            long lasts = Math.min((50 + random.nextInt(mostMillis)) * MILLI, durationNanos - at);
            FaultKind kind = kinds.get(random.nextInt(kinds.size()));
            int node = random.nextInt(scenario.nodes());
            int other = node + 1 + random.nextInt(scenario.nodes() - 1);
            faults.add(new Fault(faults.size(), at, lasts, kind, node, other, random.nextDouble()));
            at += (10 + random.nextInt(2 * gapMillis)) * MILLI;
        }
        if (random.nextInt(3) > 0) {
            lay(random, scenario, durationNanos, faults);
        }
        faults.sort(Comparator.comparingLong(Fault::atNanos).thenComparingInt(Fault::number));
        return new FaultPlan(faults);
    }

    /**
     * Adds ambushes: two kinds at two moments, again and again, so that a seed tries one thing often and each seed
     * another one.
     */
    private static void lay(RandomSource random, ClusterScenario scenario, long durationNanos, List<Fault> faults) {
        List<FaultKind> all =
                Arrays.stream(FaultKind.values()).filter(FaultKind::isAmbush).toList();
        FaultKind[] kinds = new FaultKind[VARIETY];
        int[] moments = new int[VARIETY];
        for (int i = 0; i < VARIETY; i++) {
            kinds[i] = all.get(random.nextInt(all.size()));
            boolean isOfTransactions = scenario.joinsPartitions() && random.nextInt(2) == 0;
            moments[i] = random.nextInt(isOfTransactions ? Moment.OF_TRANSACTIONS : Moment.OF_AMBUSHES);
        }
        int gapMillis = 400 + random.nextInt(MOST_AMBUSH_GAP_MILLIS);
        int mostMillis = 100 + random.nextInt(MOST_AMBUSH_MILLIS);
        long at = random.nextInt(gapMillis) * MILLI;
        while (at < durationNanos) {
            long lasts = Math.min((10 + random.nextInt(mostMillis)) * MILLI, durationNanos - at);
            int end = random.nextInt(2);
            faults.add(new Fault(
                    faults.size(),
                    at,
                    lasts,
                    kinds[random.nextInt(VARIETY)],
                    end,
                    moments[random.nextInt(VARIETY)],
                    random.nextDouble()));
            at += (10 + random.nextInt(2 * gapMillis)) * MILLI;
        }
    }

    /** Those with one of the numbers. */
    FaultPlan only(Set<Integer> numbers) {
        return filtered(fault -> numbers.contains(fault.number()));
    }

    private FaultPlan filtered(Predicate<Fault> wanted) {
        return new FaultPlan(faults.stream().filter(wanted).toList());
    }
}
