package dev.fulmar.coordinator.membership.detection;

/**
 * Times of the failure detector.
 *
 * @param intervalNanos between two heartbeats to a node
 * @param patienceNanos running time without proof after which a node is suspected; many intervals, and longer than a
 *     pause of its collector
 * @param brokenPatienceNanos the same after the connection to it broke, which says that its process is gone or its
 *     machine restarts
 */
public record DetectionSettings(long intervalNanos, long patienceNanos, long brokenPatienceNanos) {
    /** Ten heartbeats a second, one second of patience, a fifth of it after a broken connection. */
    public static final DetectionSettings DEFAULTS = new DetectionSettings(100_000_000, 1_000_000_000, 200_000_000);

    public DetectionSettings {
        if (intervalNanos < 1 || brokenPatienceNanos < intervalNanos || patienceNanos < brokenPatienceNanos) {
            throw new IllegalArgumentException("an interval of " + intervalNanos + " ns, patience of "
                    + brokenPatienceNanos + " and " + patienceNanos + " ns; they ascend");
        }
    }
}
