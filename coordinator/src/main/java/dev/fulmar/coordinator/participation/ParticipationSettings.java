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
}
