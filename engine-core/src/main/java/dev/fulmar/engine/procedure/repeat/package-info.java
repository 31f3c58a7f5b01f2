/**
 * Whether running a procedure's statements again has the same effects. Invariant: what is called repeatable depends on
 * the rows of the tables only, never on where they lie in memory, which differs after a restart.
 */
@NullMarked
package dev.fulmar.engine.procedure.repeat;

import org.jspecify.annotations.NullMarked;
