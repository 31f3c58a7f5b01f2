/**
 * Arithmetic of the type NUMERIC, whose values have any number of digits, with PostgreSQL's rules of the digits behind
 * the point.
 *
 * <p>Invariants: a sum, a difference and a product are exact. Other results are rounded half away from zero, to digits
 * that depend on the operands alone. A result that would have more digits than {@link
 * dev.fulmar.foundation.data.Numeric} has is refused before it is computed. So no operation takes more time or memory
 * than values of the most digits ask for.
 */
@NullMarked
package dev.fulmar.engine.numeric;

import org.jspecify.annotations.NullMarked;
