/**
 * Threads of real nodes are struck by errors, one after the other. Invariant: a thread is spared only if the committed
 * list names it.
 */
@NullMarked
package dev.fulmar.benchmarks.failstop;

import org.jspecify.annotations.NullMarked;
