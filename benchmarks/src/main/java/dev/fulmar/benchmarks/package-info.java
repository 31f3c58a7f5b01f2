/** Workloads as stored procedures, with their drivers. */
@NullMarked
package dev.fulmar.benchmarks;

import org.jspecify.annotations.NullMarked;
