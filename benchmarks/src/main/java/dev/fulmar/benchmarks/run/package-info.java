/**
 * Runs a workload against a server from beginning to end: procedures, tables, load, measurement, check, report.
 * Invariant: a report says {@code verified} only when the workload's check ran after the last reply and found nothing.
 */
@NullMarked
package dev.fulmar.benchmarks.run;

import org.jspecify.annotations.NullMarked;
