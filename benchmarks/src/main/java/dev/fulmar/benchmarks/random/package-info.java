/** Random keys and choices of the workloads. Invariant: the same seed gives the same requests. */
@NullMarked
package dev.fulmar.benchmarks.random;

import org.jspecify.annotations.NullMarked;
