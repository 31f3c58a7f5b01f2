/**
 * A file system in memory that loses what was not forced, and its door to the kernel. Invariant: nothing survives a cut
 * for certain but bytes that a force or a synchronous write of their file confirmed, under names that a force of their
 * directory confirmed.
 */
@NullMarked
package dev.fulmar.benchmarks.powercut;

import org.jspecify.annotations.NullMarked;
