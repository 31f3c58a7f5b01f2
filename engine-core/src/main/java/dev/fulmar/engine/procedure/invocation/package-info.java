/**
 * Running one call: parameters in, statements, results out. Invariant: objects that a procedure gets from its context
 * are reused from call to call, and are useless afterwards. A call that has warmed up allocates nothing for its
 * statements and rows.
 */
@NullMarked
package dev.fulmar.engine.procedure.invocation;

import org.jspecify.annotations.NullMarked;
