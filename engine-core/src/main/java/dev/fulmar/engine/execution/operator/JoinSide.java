package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.value.ScratchMemory;
import java.util.List;

/** The right rows of a join, kept as tuples. */
final class JoinSide {
    private final TupleWriter writer;
    private final ScratchMemory memory;
    private final AddressList rows;
    private boolean[] matched = new boolean[0];

    JoinSide(TupleLayout layout, List<Evaluator> columns, ScratchMemory memory) {
        this.writer = new TupleWriter(layout, columns);
        this.memory = memory;
        this.rows = new AddressList(memory);
    }

    void clear() {
        rows.clear();
    }

    /** Keeps the current row; returns its position. */
    int keep(Frame frame) {
        rows.add(writer.write(frame, memory));
        return rows.size() - 1;
    }

    int size() {
        return rows.size();
    }

    long row(int position) {
        return rows.get(position);
    }

    /** To be called when all rows are there and unmatched ones are asked for later. */
    void beginMatching() {
        matched = new boolean[rows.size()];
    }

    void setMatched(int position) {
        matched[position] = true;
    }

    boolean isMatched(int position) {
        return matched[position];
    }
}
