package dev.fulmar.simulator.cluster;

import dev.fulmar.simulator.verify.ProbeCounts;
import java.util.List;

/**
 * Report of a run of a cluster.
 *
 * @param scenario in words
 * @param faults that had an effect
 * @param committed transactions of which a client knows that they were committed
 * @param moves its reconfigurations
 * @param violations what was wrong; empty if all was well
 * @param complaints what operators were told
 * @param diary what happened, in order
 */
public record ClusterReport(
        long seed,
        String scenario,
        long hash,
        long events,
        long virtualNanos,
        int faults,
        long committed,
        ProbeCounts probes,
        MoveTally moves,
        List<String> violations,
        List<String> complaints,
        List<String> diary) {
    private static final long MINUTE_NANOS = 60_000_000_000L;
    private static final int COMMITS = 5_000;
    private static final int FAULTS = 3;

    public ClusterReport {
        violations = List.copyOf(violations);
        complaints = List.copyOf(complaints);
        diary = List.copyOf(diary);
    }

    public boolean isGood() {
        return violations.isEmpty();
    }

    /**
     * Whether so much happened that the run says something: in a run of less than a minute it may be less in
     * proportion. Where keys move, a reconfiguration ended and one was struck by a fault.
     */
    public boolean counts() {
        double share = Math.min(1, (double) virtualNanos / MINUTE_NANOS);
        return committed >= share * COMMITS && faults >= share * FAULTS && moves.suffices();
    }
}
