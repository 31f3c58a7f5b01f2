package dev.fulmar.simulator.verify;

import java.util.List;

/**
 * Verdict of a verifier on a history.
 *
 * @param committed transactions that took effect
 * @param undecided transactions of unknown outcome of which no trace was seen
 */
public record Verdict(List<Violation> violations, int committed, int undecided) {
    public Verdict {
        violations = List.copyOf(violations);
    }

    public boolean isGood() {
        return violations.isEmpty();
    }
}
