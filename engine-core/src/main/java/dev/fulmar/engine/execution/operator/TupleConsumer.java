package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;

/** Writes each row as a tuple that lasts until the next one, and passes that on. */
final class TupleConsumer implements Consumer {
    private final TupleWriter writer;
    private final int source;
    private final Consumer next;

    TupleConsumer(TupleWriter writer, int source, Consumer next) {
        this.writer = writer;
        this.source = source;
        this.next = next;
    }

    @Override
    public boolean accept(Frame frame) {
        frame.rows[source] = writer.write(frame, frame.temporary);
        return next.accept(frame);
    }

    @Override
    public boolean resume(Frame frame) {
        return next.resume(frame);
    }
}
