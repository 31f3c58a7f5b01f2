package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;

/** Takes the frame's current row. */
@FunctionalInterface
public interface Consumer {
    /** False if no more rows are wanted. */
    boolean accept(Frame frame);
}
