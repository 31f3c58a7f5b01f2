package dev.fulmar.coordinator.replication.building;

import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.foundation.check.Invariants;

/**
 * Moment of a partition that an image shows.
 *
 * @param end position of the log behind the last record that the image has: so many records it has, and the next one
 *     has the sequence {@code end + 1}
 * @param commitTimestamp no commit so far is above it, every later one is
 * @param catalogVersion version of the catalog that the partition ran with
 * @param epoch that the source has stored
 * @param history terms of the log up to the position
 */
public record CopyOrigin(long end, long commitTimestamp, int catalogVersion, long epoch, EpochHistory history) {
    public CopyOrigin {
        Invariants.check(
                end >= 0 && commitTimestamp >= 0 && catalogVersion >= 0 && epoch >= history.epoch(),
                "an image is of a position, a time, a catalog and a term");
    }
}
