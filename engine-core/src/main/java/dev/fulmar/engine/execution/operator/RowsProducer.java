package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;
import java.util.List;

/** Rows that a statement spells out: one consumer for each. */
final class RowsProducer implements Producer {
    private final List<Consumer> rows;
    private int current;
    private long mark;

    RowsProducer(List<Consumer> rows) {
        this.rows = List.copyOf(rows);
    }

    @Override
    public boolean run(Frame frame) {
        current = 0;
        mark = frame.temporary.position();
        return goOn(frame);
    }

    private boolean goOn(Frame frame) {
        while (current < rows.size()) {
            if (!rows.get(current).accept(frame)) {
                return false;
            }
            frame.temporary.reset(mark);
            current++;
        }
        return true;
    }

    @Override
    public boolean resume(Frame frame) {
        if (!rows.get(current).resume(frame)) {
            return false;
        }
        frame.temporary.reset(mark);
        current++;
        return goOn(frame);
    }
}
