package dev.fulmar.coordinator.remote;

/**
 * What a database needs from the cluster that it is part of.
 *
 * @param primaries who leads which partition
 * @param sender the way to other nodes
 */
public record ClusterPorts(PrimaryMap primaries, NodeSender sender) {}
