package dev.fulmar.simulator.cluster;

import java.util.Locale;

/**
 * One fault that a {@link FaultPlan} sets for a simulated cluster: its kind, node, begin, duration and strength.
 *
 * @param number in its plan, from 0 up
 * @param atNanos after the clients began
 * @param node whom it concerns, counted around; of an ambush, whether the one who sends (even) or the one who is to get
 *     the message
 * @param other a second node, if it concerns two; of an ambush, its moment
 * @param strength 0 to 1, of what comes in degrees
 */
public record Fault(
        int number, long atNanos, long durationNanos, FaultKind kind, int node, int other, double strength) {
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "fault %d at %.3f s for %.3f s: %s of node %d (%d, %.2f)",
                number,
                atNanos / 1e9,
                durationNanos / 1e9,
                kind,
                node,
                other,
                strength);
    }
}
