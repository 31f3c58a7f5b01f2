package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.ParameterSlots;
import dev.fulmar.engine.execution.operator.Consumer;
import dev.fulmar.engine.execution.operator.PointRead;
import dev.fulmar.engine.execution.operator.Producer;
import dev.fulmar.engine.execution.operator.RelationCompiler;
import dev.fulmar.engine.execution.operator.RowBudget;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultLayout;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Yields the rows of a relation as one result block. */
final class QueryCode implements FragmentCode {
    private final ResultLayout layout;
    private final Producer producer;
    private final ResultSink sink;
    private final Frame frame;
    private final @Nullable PointRead pointRead;

    QueryCode(RelationCompiler relations, Relation relation, ResultLayout layout, ScratchMemory temporary) {
        this(relations, relation, layout, temporary, sink -> sink);
    }

    /** @param around what the rows pass on their way to the sink */
    QueryCode(
            RelationCompiler relations,
            Relation relation,
            ResultLayout layout,
            ScratchMemory temporary,
            UnaryOperator<Consumer> around) {
        this.layout = layout;
        ResultSink[] made = new ResultSink[1];
        producer = relations.compile(relation, columns -> {
            RowSink rows = RowSink.of(columns, relations);
            made[0] = rows == null ? new ResultSink(columns) : rows;
            return around.apply(made[0]);
        });
        sink = made[0];
        pointRead = sink instanceof RowSink rows ? rows.pointRead(producer) : null;
        frame = new Frame(relations.sourceCount(), temporary, new ParameterSlots());
    }

    @Override
    public Frame frame() {
        return frame;
    }

    /** Prepares {@link #runSlice}; the block begins where the writer stands. */
    void begin(ResultBlockWriter rows) {
        rows.begin(layout);
        sink.setWriter(rows);
    }

    /** Goes on until the budget pauses it, or to the end of the block. */
    void runSlice(Frame current, boolean first, RowBudget budget) {
        if (first) {
            producer.run(current);
        } else {
            producer.resume(current);
        }
        if (!budget.isPaused()) {
            end();
        }
    }

    /** Ends the block while more rows are expected. */
    void end() {
        sink.writer().end();
    }

    @Override
    public @Nullable PointRead pointRead() {
        return pointRead;
    }

    @Override
    public long run(Frame current, ResultBlockWriter rows, boolean alone) {
        int start = rows.begin(layout);
        sink.setWriter(rows);
        boolean complete = false;
        try {
            producer.run(current);
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
