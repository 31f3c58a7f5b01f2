/**
 * Sessions that all change the same row, against a node and against PostgreSQL. Invariant: both are durable before they
 * acknowledge a commit, get the same statements at SERIALIZABLE, and take turns on one machine. Each commit counts once
 * in the row.
 */
@NullMarked
package dev.fulmar.benchmarks.hotrow;

import org.jspecify.annotations.NullMarked;
