/**
 * YCSB's core workloads A to F. Invariant: no key is inserted twice, and every key below the insert counter exists or
 * is in flight.
 */
@NullMarked
package dev.fulmar.benchmarks.ycsb;

import org.jspecify.annotations.NullMarked;
