/**
 * A file system in memory that loses what was not forced, and its door to the kernel. Invariant: only bytes that a
 * force or a synchronous write of their file confirmed are certain to survive a cut. Their names survive if a force of
 * their directory confirmed them.
 */
@NullMarked
package dev.fulmar.benchmarks.powercut;

import org.jspecify.annotations.NullMarked;
