/**
 * The workloads with which Fulmar is compared with its rivals. Invariant: row counts and sums equal what clients saw
 * committed.
 */
@NullMarked
package dev.fulmar.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
