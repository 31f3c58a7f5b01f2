package dev.fulmar.benchmarks.portals;

/**
 * A reading of all documents.
 *
 * @param rows that were read
 * @param wrong rows that came twice, or were not as they were written
 * @param nodeHeapBytes the most that the node's heap had beyond the base
 * @param nodeAccountedBytes the most that the node's accounts had beyond the base
 * @param clientHeapBytes the most that the client's heap had beyond its base
 * @param samples of the heaps
 */
record LargeReading(
        long rows, long wrong, long nodeHeapBytes, long nodeAccountedBytes, long clientHeapBytes, int samples) {}
