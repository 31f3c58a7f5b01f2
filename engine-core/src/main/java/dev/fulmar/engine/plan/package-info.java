/**
 * Plans: what {@code sql} hands to the engine. Plain immutable records without behaviour, so that the planner (Calcite)
 * and the executor never see each other. Invariant: a {@link dev.fulmar.engine.plan.StatementPlan} names the partitions
 * that it needs before it runs; every expression is typed and every implicit conversion is an explicit CAST.
 *
 * <p>A relation's rows are positional. {@link dev.fulmar.engine.plan.Expression.ColumnReference} counts through the
 * columns of the input row; of a join, through the left columns and then the right ones.
 *
 * <p>Operands: comparisons, IN, COALESCE, CASE, GREATEST and LEAST have values of one type (text: of any lengths;
 * decimals: of one scale and storage). Arithmetic on integers and floating-point numbers has operands of the call's
 * type. Arithmetic that yields a DECIMAL has exact operands of any precision and scale, computes exactly, rounds to the
 * call's scale and checks its precision. A value that is stored has its column's type, but text may be too long, which
 * is an error then.
 */
@NullMarked
package dev.fulmar.engine.plan;

import org.jspecify.annotations.NullMarked;
