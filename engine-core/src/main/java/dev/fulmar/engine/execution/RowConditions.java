package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.ParameterSlots;
import dev.fulmar.engine.execution.expression.RowColumns;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.index.RowFilter;
import dev.fulmar.engine.row.RowLayout;
import java.util.ArrayList;
import java.util.List;

/** Tests whether a partial index contains a row, by the index's condition compiled to code. */
public final class RowConditions implements RowFilter {
    private static final long WORKING_BYTES = 1 << 20;

    private final Frame frame = new Frame(1, new ScratchMemory(WORKING_BYTES), new ParameterSlots());
    private final LongEvaluator condition;

    private RowConditions(RowLayout layout, Check check) {
        condition = new ExpressionCompiler(columns(layout)).condition(check.condition());
    }

    /** The columns of the one row. */
    static List<Evaluator> columns(RowLayout layout) {
        List<Evaluator> columns = new ArrayList<>();
        for (int column = 0; column < layout.columnCount(); column++) {
            columns.add(RowColumns.of(layout, column, 0, true));
        }
        return columns;
    }

    /** Admits rows of the table for which the condition is true, not null. */
    public static RowFilter of(Table table, RowLayout layout, Check check) {
        return new RowConditions(layout, check);
    }

    @Override
    public boolean admits(long slot) {
        frame.rows[0] = slot;
        long mark = frame.temporary.position();
        boolean isTrue = condition.evaluate(frame) != 0 && !frame.isNull;
        frame.temporary.reset(mark);
        return isTrue;
    }
}
