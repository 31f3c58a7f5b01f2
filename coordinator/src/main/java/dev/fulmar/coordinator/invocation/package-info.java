/**
 * Statements that call stored procedures. Invariant: such a statement runs as the call that it is, under the
 * statement's handle, so a repetition gets the first outcome.
 */
@NullMarked
package dev.fulmar.coordinator.invocation;

import org.jspecify.annotations.NullMarked;
