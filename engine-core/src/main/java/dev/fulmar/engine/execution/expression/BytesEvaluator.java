package dev.fulmar.engine.execution.expression;

/** Leaves text or bytes in {@link Frame#bytesAddress} and {@link Frame#bytesLength}. */
@FunctionalInterface
public non-sealed interface BytesEvaluator extends Evaluator {
    void evaluate(Frame frame);
}
