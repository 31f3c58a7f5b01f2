/**
 * Arithmetic and conversion of values: exact decimals, dates and times, text. Invariant: a result is exact or rounded
 * as its SQL type says; what does not fit is an error, never a wrapped number.
 */
@NullMarked
package dev.fulmar.engine.execution.value;

import org.jspecify.annotations.NullMarked;
