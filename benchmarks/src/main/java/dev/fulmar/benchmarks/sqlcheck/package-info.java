/**
 * Statements drawn at random and judged by what other engines, or the same engine in other circumstances, answer.
 * Entry: {@link dev.fulmar.benchmarks.sqlcheck.DifferentialTrial},
 * {@link dev.fulmar.benchmarks.sqlcheck.MetamorphicTrial}. Invariant: everything drawn follows from the seed; a
 * statement's meaning does not depend on what SQL leaves open.
 */
@NullMarked
package dev.fulmar.benchmarks.sqlcheck;

import org.jspecify.annotations.NullMarked;
