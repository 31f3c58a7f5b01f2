package dev.fulmar.coordinator.reconfiguration;

import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.table.BucketTransfer;

/**
 * A partition's data for reconfigurations. For the partition's thread, while no transaction is under way.
 *
 * @param requests its memory of requests, which goes with the keys that they were about
 * @param plan by which the partition has its keys at this moment
 * @param timestamp above those of all commits so far
 */
public record PartitionData(BucketTransfer buckets, RequestOutcomes requests, PartitionPlan plan, long timestamp) {}
