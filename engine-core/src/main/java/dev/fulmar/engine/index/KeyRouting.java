package dev.fulmar.engine.index;

import dev.fulmar.engine.partitioning.BucketMap;

/**
 * Tells which column of an index key determines the bucket, so that a look-up searches that bucket only.
 *
 * @param keyColumn place of the partitioning column among the index's columns
 */
public record KeyRouting(int keyColumn, BucketMap buckets) {}
