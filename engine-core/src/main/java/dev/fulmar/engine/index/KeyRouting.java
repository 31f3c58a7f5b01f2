package dev.fulmar.engine.index;

import dev.fulmar.engine.partitioning.BucketMap;

/**
 * The value of a key that determines the bucket.
 *
 * @param keyColumn place of the partitioning column among the index's columns
 */
public record KeyRouting(int keyColumn, BucketMap buckets) {}
