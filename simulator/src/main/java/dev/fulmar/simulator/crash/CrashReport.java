package dev.fulmar.simulator.crash;

import java.util.List;

/**
 * What came of a run.
 *
 * @param points places where the life that may be ended could have been ended, as far as it went
 * @param acknowledged transactions that were acknowledged before the end
 * @param unknown transactions without an answer
 * @param checkpoints checkpoints in that life
 * @param reclaimed segments of checkpoint logs that were written back in it
 * @param fromCheckpoints whether the life after it began with rows from checkpoints
 * @param inDoubt whether it found a transaction in doubt
 * @param violations what was wrong
 */
public record CrashReport(
        long points,
        int acknowledged,
        int unknown,
        long checkpoints,
        long reclaimed,
        boolean fromCheckpoints,
        boolean inDoubt,
        List<String> violations) {
    public CrashReport {
        violations = List.copyOf(violations);
    }
}
