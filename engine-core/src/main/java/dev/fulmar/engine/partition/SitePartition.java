package dev.fulmar.engine.partition;

/**
 * A partition with all that a site needs to run it, and that moves with it to another one.
 *
 * @param outlet by which the executor's gate lets replies out
 */
public record SitePartition(PartitionExecutor executor, ReplyOutlet outlet) {}
