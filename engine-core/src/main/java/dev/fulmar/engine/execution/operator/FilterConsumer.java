package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;

/** Passes on the rows for which the condition is true. */
final class FilterConsumer implements Consumer {
    private final LongEvaluator condition;
    private final Consumer next;

    FilterConsumer(LongEvaluator condition, Consumer next) {
        this.condition = condition;
        this.next = next;
    }

    @Override
    public boolean accept(Frame frame) {
        return !condition.isTrue(frame) || next.accept(frame);
    }

    @Override
    public boolean resume(Frame frame) {
        return next.resume(frame);
    }
}
