/**
 * TATP: the traffic of a home location register. Invariant: every subscriber has at least one access info and one
 * facility.
 */
@NullMarked
package dev.fulmar.benchmarks.tatp;

import org.jspecify.annotations.NullMarked;
