package dev.fulmar.coordinator.participation;

import dev.fulmar.coordinator.cluster.MemberSettings;
import dev.fulmar.coordinator.replication.PrimaryReplication;
import dev.fulmar.coordinator.replication.building.BuildSettings;
import java.util.function.LongFunction;

/**
 * Sizes and times of a process's part in its cluster.
 *
 * @param limits how much is under way between copies
 * @param retainedBytes records of each partition that are kept for copies to be sent
 * @param builds of copies, by what the versions of a partition may take
 * @param buildPeriodNanos between two looks at the builds
 */
public record ParticipationSettings(
        MemberSettings member,
        PrimaryReplication.Limits limits,
        long retainedBytes,
        LongFunction<BuildSettings> builds,
        long buildPeriodNanos) {
    public static final ParticipationSettings DEFAULTS = new ParticipationSettings(
            MemberSettings.DEFAULTS,
            new PrimaryReplication.Limits(10_000, 8, 1_000, 500_000_000),
            64L << 20,
            BuildSettings::usual,
            100_000_000);

    /** Part of the heap that the records of all partitions may have together. */
    private static final int HEAP_SHARE = 8;

    private static final long LEAST_RETAINED_BYTES = 1L << 20;

    /**
     * The defaults for a process of that heap. Records are kept there, by each partition of the node, so where the heap
     * is small, or partitions are many, each keeps fewer; a copy that asks for older ones is built anew.
     */
    public static ParticipationSettings ofHeap(long heapBytes, int partitions) {
        return new ParticipationSettings(
                DEFAULTS.member,
                DEFAULTS.limits,
                Math.clamp(heapBytes / HEAP_SHARE / partitions, LEAST_RETAINED_BYTES, DEFAULTS.retainedBytes),
                DEFAULTS.builds,
                DEFAULTS.buildPeriodNanos);
    }
}
