/**
 * Emulated capacity: an agent in a node's process that gives each site a share of a processor. On few cores all nodes
 * share the processors, so a hot partition costs no throughput by itself. Invariant: figures that were measured with it
 * are labelled so.
 */
@NullMarked
package dev.fulmar.benchmarks.capacity;

import org.jspecify.annotations.NullMarked;
