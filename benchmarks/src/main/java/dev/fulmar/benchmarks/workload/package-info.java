/**
 * What the workloads have in common: schema and procedures, a load, a stream of requests, and a check of what must hold
 * afterwards. Invariant: a workload talks to the database through the public client only.
 */
@NullMarked
package dev.fulmar.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
