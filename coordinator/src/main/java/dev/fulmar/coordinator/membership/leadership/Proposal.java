package dev.fulmar.coordinator.membership.leadership;

import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.Versioned;

/**
 * Change of a partition's record that is not settled.
 *
 * @param isUnderWay its end is still to come
 * @param isDoubtful an earlier attempt at it ended with an unknown outcome
 */
record Proposal(Versioned<PartitionRecord> expected, PartitionRecord next, boolean isUnderWay, boolean isDoubtful) {}
