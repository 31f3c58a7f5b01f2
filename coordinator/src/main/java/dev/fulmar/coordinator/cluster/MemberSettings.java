package dev.fulmar.coordinator.cluster;

import dev.fulmar.coordinator.membership.detection.DetectionSettings;

/**
 * Times and settings of a member of the cluster.
 *
 * @param detection of nodes that do not answer
 * @param periodNanos between two looks at the time by each copy
 * @param retryNanos after a call of the store without an answer
 * @param candidacyNanos how much longer each copy waits than the one before it, before it proposes itself
 * @param foundingNanos how much longer each node waits than the one before it, before it founds a partition that never
 *     was
 * @param returnNanos how long the copy on the node that should lead is in sync before it leads again
 */
public record MemberSettings(
        DetectionSettings detection,
        long periodNanos,
        long retryNanos,
        long candidacyNanos,
        long foundingNanos,
        long returnNanos) {
    public static final MemberSettings DEFAULTS = new MemberSettings(
            DetectionSettings.DEFAULTS, 20_000_000, 300_000_000, 50_000_000, 10_000_000_000L, 10_000_000_000L);
}
