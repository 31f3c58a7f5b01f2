/**
 * Functions of SQL that are computed from Java's values. Their work is many times that of making these, as of matching
 * a regular expression or of writing a date by a template.
 *
 * <p>Invariants: a function depends on its arguments alone, so that all copies of a partition compute the same. Its
 * time and its memory have a limit that its arguments' lengths give, or one of its own.
 */
@NullMarked
package dev.fulmar.engine.execution.function;

import org.jspecify.annotations.NullMarked;
