package dev.fulmar.benchmarks.cluster;

/**
 * Acknowledged commit of one client: node, partition, and times of request and reply, from which {@link Outage}
 * computes gaps. Times are those of {@link System#nanoTime()}.
 *
 * @param node at which the client asked
 */
record Answer(int node, int partition, long sentNanos, long answeredNanos) {}
