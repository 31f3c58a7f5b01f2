package dev.fulmar.node.jmx;

import dev.fulmar.engine.partition.counter.LatencyHistogram;

/**
 * Figures of a procedure so far, over all partitions.
 *
 * @param latency of its calls; a copy that nobody changes
 */
public record ProcedureFigures(String name, long committed, long failed, LatencyHistogram latency) {}
