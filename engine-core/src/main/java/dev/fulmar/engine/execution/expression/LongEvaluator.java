package dev.fulmar.engine.execution.expression;

/**
 * Yields a long: integers, booleans (0 or 1), dates, times, timestamps, unscaled values of decimals of up to 18 digits.
 */
@FunctionalInterface
public non-sealed interface LongEvaluator extends Evaluator {
    long evaluate(Frame frame);

    /** Whether a condition is true; null is not. */
    default boolean isTrue(Frame frame) {
        return evaluate(frame) != 0 && !frame.isNull;
    }
}
