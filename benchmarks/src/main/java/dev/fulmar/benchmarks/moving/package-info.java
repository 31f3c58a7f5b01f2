/**
 * All keys of a node move to another node and back under load, again and again. Invariant: the load has one rate for
 * all windows, and a request counts in the window in which it was due.
 */
@NullMarked
package dev.fulmar.benchmarks.moving;

import org.jspecify.annotations.NullMarked;
