/**
 * Real nodes run out of descriptors, threads, disk and heap. Invariant: a case counts only if its shortage was
 * reached, and one that this machine cannot make is a case that did not pass.
 */
@NullMarked
package dev.fulmar.benchmarks.exhaustion;

import org.jspecify.annotations.NullMarked;
