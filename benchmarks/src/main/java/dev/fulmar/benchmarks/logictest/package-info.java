/**
 * Runs files of the public sqllogictest suite, which are no part of the project.
 *
 * <p>Invariant: a record counts as passed only if its expected result was compared. A record that is left out is
 * counted under the name of the rule that leaves it out.
 */
@NullMarked
package dev.fulmar.benchmarks.logictest;

import org.jspecify.annotations.NullMarked;
