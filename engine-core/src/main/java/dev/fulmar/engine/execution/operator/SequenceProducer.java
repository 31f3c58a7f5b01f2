package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;
import java.util.List;

/** One input after another. */
final class SequenceProducer implements Producer {
    private final List<Producer> inputs;
    private int current;

    SequenceProducer(List<Producer> inputs) {
        this.inputs = List.copyOf(inputs);
    }

    @Override
    public boolean run(Frame frame) {
        current = 0;
        return goOn(frame);
    }

    private boolean goOn(Frame frame) {
        while (current < inputs.size()) {
            if (!inputs.get(current).run(frame)) {
                return false;
            }
            current++;
        }
        return true;
    }

    @Override
    public boolean resume(Frame frame) {
        if (!inputs.get(current).resume(frame)) {
            return false;
        }
        current++;
        return goOn(frame);
    }
}
