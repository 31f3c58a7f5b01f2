package dev.fulmar.benchmarks.cluster;

/**
 * A commit that a client was told of. Moments are those of {@link System#nanoTime()}.
 *
 * @param node at which the client asked
 */
record Answer(int node, int partition, long sentNanos, long answeredNanos) {}
