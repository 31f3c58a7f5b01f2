/**
 * Common parts of the workloads: schema and procedures, a load, a stream of requests, and a check of the invariants
 * afterwards. Invariant: a workload talks to the database through the public client only.
 */
@NullMarked
package dev.fulmar.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
