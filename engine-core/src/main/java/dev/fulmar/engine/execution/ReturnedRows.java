package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.RowColumns;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result rows that a write makes of the rows that it changes. */
final class ReturnedRows {
    private final ResultSink sink;
    private final ResultLayout layout;
    private final int source;

    private ReturnedRows(ResultSink sink, ResultLayout layout, int source) {
        this.sink = sink;
        this.layout = layout;
        this.source = source;
    }

    /**
     * Null if the write yields a count.
     *
     * @param source where in the frame the address of a row is put; nothing else may be there that is still needed
     */
    static @Nullable ReturnedRows of(List<Expression> returning, ResultLayout layout, RowLayout rows, int source) {
        if (returning.isEmpty()) {
            return null;
        }
        List<Evaluator> columns = new ArrayList<>();
        for (int column = 0; column < rows.columnCount(); column++) {
            columns.add(RowColumns.of(rows, column, source, true));
        }
        ExpressionCompiler expressions = new ExpressionCompiler(columns);
        return new ReturnedRows(
                new ResultSink(returning.stream().map(expressions::compile).toList()), layout, source);
    }

    /** Adds a row as it is now. */
    void add(Frame frame, long row) {
        long mark = frame.temporary.position();
        frame.rows[source] = row;
        sink.accept(frame);
        frame.temporary.reset(mark);
    }

    /** The write, with the block of its rows around it. */
    FragmentCode around(FragmentCode write) {
        return new Yielding(write, this);
    }

    private record Yielding(FragmentCode write, ReturnedRows returned) implements FragmentCode {
        @Override
        public Frame frame() {
            return write.frame();
        }

        @Override
        public long run(Frame frame, ResultBlockWriter rows, boolean alone) {
            int start = rows.begin(returned.layout);
            returned.sink.setWriter(rows);
            boolean complete = false;
            try {
                write.run(frame, rows, alone);
                rows.end();
                complete = true;
            } finally {
                if (!complete) {
                    rows.truncate(start);
                }
            }
            return rows.rowCount();
        }
    }
}
