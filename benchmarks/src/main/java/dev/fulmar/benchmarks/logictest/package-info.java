/**
 * Runs files of the public sqllogictest suite, which are no part of the project.
 *
 * <p>INVARIANT: a record counts as passed only if what it expects was compared; what is left out is counted under the
 * name of the rule that leaves it out.
 */
@NullMarked
package dev.fulmar.benchmarks.logictest;

import org.jspecify.annotations.NullMarked;
