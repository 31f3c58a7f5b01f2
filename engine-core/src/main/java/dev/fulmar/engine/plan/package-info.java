/**
 * Plans: what {@code sql} hands to the engine. Plain immutable records without behaviour, so that the planner (Calcite) and the executor never
 * see each other. Invariant: a {@link dev.fulmar.engine.plan.StatementPlan} names the partitions that it needs before it
 * runs; every expression is typed and every implicit conversion is an explicit CAST.
 *
 * <p>A relation's rows are positional. {@link dev.fulmar.engine.plan.Expression.ColumnReference} counts through the
 * columns of the input row; of a join, through the left columns and then the right ones.
 */
@NullMarked
package dev.fulmar.engine.plan;

import org.jspecify.annotations.NullMarked;
