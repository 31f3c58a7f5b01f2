/** Procedures as users write them. Invariant: the fixture compiles against the procedure API alone. */
@NullMarked
package dev.fulmar.it.procedure;

import org.jspecify.annotations.NullMarked;
