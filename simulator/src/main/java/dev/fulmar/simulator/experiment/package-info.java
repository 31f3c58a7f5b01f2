/**
 * Experiments about correctness. Invariant: a quick run judges by the same goals as a full one, on less.
 */
@NullMarked
package dev.fulmar.simulator.experiment;

import org.jspecify.annotations.NullMarked;
