/**
 * Running one call: parameters in, statements, results out. Invariant: what a procedure gets from its context is reused
 * from call to call and useless afterwards; a call that has warmed up allocates nothing for its statements and rows.
 */
@NullMarked
package dev.fulmar.engine.procedure.invocation;

import org.jspecify.annotations.NullMarked;
