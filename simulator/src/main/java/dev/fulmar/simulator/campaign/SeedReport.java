package dev.fulmar.simulator.campaign;

import dev.fulmar.simulator.verify.ProbeCounts;
import java.util.List;

/**
 * Report of a run.
 *
 * @param scenario in words
 * @param hash of all events
 * @param violations what was wrong; empty if all was well
 */
public record SeedReport(
        long seed,
        String scenario,
        long hash,
        long events,
        long virtualNanos,
        int transactions,
        int committed,
        ProbeCounts probes,
        List<String> violations) {
    public SeedReport {
        violations = List.copyOf(violations);
    }

    public boolean isGood() {
        return violations.isEmpty();
    }
}
