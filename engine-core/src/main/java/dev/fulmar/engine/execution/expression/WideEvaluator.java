package dev.fulmar.engine.execution.expression;

/** Leaves a UUID or a long decimal in {@link Frame#wide}. */
@FunctionalInterface
public non-sealed interface WideEvaluator extends Evaluator {
    void evaluate(Frame frame);
}
