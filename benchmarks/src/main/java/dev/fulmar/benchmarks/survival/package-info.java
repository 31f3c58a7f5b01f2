/**
 * What is left of a node that ended without notice, held against what its clients saw. Invariant: it knows only what
 * clients were told; whatever ends the node is behind {@link dev.fulmar.benchmarks.survival.Machine}.
 */
@NullMarked
package dev.fulmar.benchmarks.survival;

import org.jspecify.annotations.NullMarked;
