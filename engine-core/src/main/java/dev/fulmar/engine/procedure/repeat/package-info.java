/**
 * The check whether a procedure's statements have the same effects when they run again. Invariant: a statement that is
 * called repeatable depends on the rows of the tables only. It never depends on where they lie in memory, which differs
 * after a restart. {@link dev.fulmar.engine.procedure.repeat.CopiesScan} asks the same of copies of a replicated table.
 */
@NullMarked
package dev.fulmar.engine.procedure.repeat;

import org.jspecify.annotations.NullMarked;
