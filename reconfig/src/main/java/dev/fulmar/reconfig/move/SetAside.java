package dev.fulmar.reconfig.move;

import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Destinations whose last moves failed, which are set aside for a while so that others have their turns. */
final class SetAside {
    private static final long LEAST_NANOS = 100_000_000;

    /** Of failures that come at once. So a destination that is well again waits for this long at most. */
    private static final long MOST_NANOS = 2_000_000_000;

    private static final int MOST_DOUBLINGS = 10;

    private final TreeMap<Integer, Failure> failures = new TreeMap<>();

    /** @param times in a row */
    private record Failure(int times, long untilNanos) {}

    /**
     * A move to the destination failed. One that waited for an answer in vain has the others move for as long.
     *
     * @param waitedNanos for that answer; 0 after any other failure
     */
    void failed(int destination, long waitedNanos, long nowNanos) {
        Failure before = failures.get(destination);
        int times = before == null ? 0 : before.times() + 1;
        long usual = Math.min(MOST_NANOS, LEAST_NANOS << Math.min(times, MOST_DOUBLINGS));
        failures.put(destination, new Failure(times, nowNanos + Math.max(usual, waitedNanos)));
    }

    /** A bucket was handed over to the destination. */
    void succeeded(int destination) {
        failures.remove(destination);
    }

    /** All destinations have their turns again. */
    void clear() {
        failures.clear();
    }

    /** Destinations that are set aside at the moment. */
    Set<Integer> at(long nowNanos) {
        Set<Integer> aside = new TreeSet<>();
        failures.forEach((destination, failure) -> {
            if (failure.untilNanos() - nowNanos > 0) {
                aside.add(destination);
            }
        });
        return aside;
    }
}
