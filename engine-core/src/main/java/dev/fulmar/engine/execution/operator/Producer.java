package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;

/** Pushes all of its rows into the consumer that it was made with. */
@FunctionalInterface
public interface Producer {
    /** Runs from the start; false if the consumer wants no more. */
    boolean run(Frame frame);
}
