package dev.fulmar.simulator.verify;

import dev.fulmar.foundation.check.Probes;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts how often each rare path was reached, over all runs of a campaign. Thread-safe. */
public final class ProbeCounts implements Probes {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    @Override
    public void reached(String name) {
        counts.computeIfAbsent(name, any -> new LongAdder()).increment();
    }

    /** Marks the path so many times, perhaps never. */
    public void reached(String name, long times) {
        if (times > 0) {
            counts.computeIfAbsent(name, any -> new LongAdder()).add(times);
        }
    }

    public long count(String name) {
        LongAdder count = counts.get(name);
        return count == null ? 0 : count.sum();
    }

    /** All paths that were reached, by name. */
    public Map<String, Long> counts() {
        Map<String, Long> sorted = new TreeMap<>();
        counts.forEach((name, count) -> sorted.put(name, count.sum()));
        return sorted;
    }

    /**
     * Those of the names that were never reached, ascending: a campaign that needs them is void unless this is empty.
     */
    public List<String> missing(Collection<String> required) {
        return required.stream()
                .filter(name -> count(name) == 0)
                .sorted()
                .distinct()
                .toList();
    }

    /** Adds the counts of another campaign. */
    public void add(ProbeCounts other) {
        other.counts.forEach((name, count) ->
                counts.computeIfAbsent(name, any -> new LongAdder()).add(count.sum()));
    }
}
