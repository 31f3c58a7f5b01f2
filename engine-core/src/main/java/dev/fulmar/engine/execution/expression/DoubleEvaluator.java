package dev.fulmar.engine.execution.expression;

/** Yields a REAL or DOUBLE. */
@FunctionalInterface
public non-sealed interface DoubleEvaluator extends Evaluator {
    double evaluate(Frame frame);
}
