/**
 * Experiments: repeatable campaigns that show an acceptance point. Invariant: an experiment passes only if every one of
 * its checks was measured in this run and met its goal. Goals come from {@code goals.json} alone, and {@code --quick}
 * shrinks volumes, never goals.
 *
 * <p>More than 40 files: each experiment has a class, and all share what measures them.
 */
@NullMarked
package dev.fulmar.benchmarks.experiment;

import org.jspecify.annotations.NullMarked;
