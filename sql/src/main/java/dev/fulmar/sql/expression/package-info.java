/**
 * Converts Calcite's row expressions to Fulmar's. Entry: {@link dev.fulmar.sql.expression.ExpressionConverter}.
 * Invariant: the operands of every arithmetic call, comparison and choice have the types that {@code engine.plan}
 * promises. A conversion is a CAST, or a literal converted at once.
 */
@NullMarked
package dev.fulmar.sql.expression;

import org.jspecify.annotations.NullMarked;
