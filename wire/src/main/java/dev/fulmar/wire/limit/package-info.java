/**
 * Limits that one side sets the other. Invariant: a limit that is met gives an error that names it and says what to do.
 */
@NullMarked
package dev.fulmar.wire.limit;

import org.jspecify.annotations.NullMarked;
