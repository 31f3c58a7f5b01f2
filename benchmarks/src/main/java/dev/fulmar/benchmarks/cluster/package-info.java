/**
 * Experiments on clusters of real processes. Invariant: a fault is judged by what clients saw, never by what the
 * cluster says of itself.
 */
@NullMarked
package dev.fulmar.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
