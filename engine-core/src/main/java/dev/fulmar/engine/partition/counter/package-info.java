/**
 * Figures that a partition's thread writes and any thread reads. Invariant: one thread writes a counter, without lock
 * or fence; a reader sees a value that was true a moment ago.
 */
@NullMarked
package dev.fulmar.engine.partition.counter;

import org.jspecify.annotations.NullMarked;
