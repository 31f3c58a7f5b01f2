/**
 * Checks of a database whose node ended without notice, against the answers that its clients got. Invariant: the checks
 * know only these answers; the cause of the node's end is behind {@link dev.fulmar.benchmarks.survival.Machine}.
 */
@NullMarked
package dev.fulmar.benchmarks.survival;

import org.jspecify.annotations.NullMarked;
