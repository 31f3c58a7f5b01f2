/**
 * Scalar expressions, compiled to evaluators. Invariant: after every evaluation
 * {@link dev.fulmar.engine.execution.expression.Frame#isNull} tells whether the value is null; then the value itself is
 * unspecified. An evaluator owns no state that outlives the evaluation.
 *
 * <p>More than 40 files: each family of functions and each storage of values has a class.
 */
@NullMarked
package dev.fulmar.engine.execution.expression;

import org.jspecify.annotations.NullMarked;
