/**
 * The time and memory that one call of a procedure may spend. Invariant: procedure code between two checks does a
 * bounded amount of work, and a call that has spent its budget does no more than unwind.
 *
 * <p>{@link dev.fulmar.engine.procedure.budget.BudgetTransform} weaves the checks into a procedure's classes when they
 * are loaded; they call {@link dev.fulmar.engine.procedure.budget.ExecutionBudget} and
 * {@link dev.fulmar.engine.procedure.budget.Guarded}, which are public for that reason only.
 */
@NullMarked
package dev.fulmar.engine.procedure.budget;

import org.jspecify.annotations.NullMarked;
