package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.DoubleEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.ParameterSlots;
import dev.fulmar.engine.execution.expression.WideEvaluator;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.index.KeyValue;
import dev.fulmar.engine.index.RowFilter;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.IndexExpressions;
import dev.fulmar.foundation.error.FulmarException;

/** A computed key of an index, as code. */
public final class IndexKeyCode implements KeyValue {
    private static final long WORKING_BYTES = 1 << 20;

    private final Frame frame = new Frame(1, new ScratchMemory(WORKING_BYTES), new ParameterSlots());
    private final Evaluator value;
    private final String description;

    private IndexKeyCode(Table table, RowLayout layout, IndexColumn key) {
        Expression expression = key.expression().orElseThrow().expression();
        value = new ExpressionCompiler(RowConditions.columns(layout)).as(expression, expression.type());
        description = key.text(table) + ", by which table " + table.name() + " has an index: ";
    }

    /** Code for all that indexes compute. */
    public static IndexExpressions compiler() {
        return new IndexExpressions() {
            @Override
            public RowFilter condition(Table table, RowLayout layout, Check condition) {
                return RowConditions.of(table, layout, condition);
            }

            @Override
            public KeyValue value(Table table, RowLayout layout, IndexColumn key) {
                return new IndexKeyCode(table, layout, key);
            }
        };
    }

    @Override
    public void addTo(SearchKey key, long row) {
        frame.rows[0] = row;
        long mark = frame.temporary.position();
        try {
            add(key);
        } catch (FulmarException e) {
            throw new FulmarException(e.code(), description + e.getMessage());
        } finally {
            frame.temporary.reset(mark);
        }
    }

    private void add(SearchKey key) {
        switch (value) {
            case LongEvaluator number -> {
                long result = number.evaluate(frame);
                if (!frame.isNull) {
                    key.addLong(result);
                }
            }
            case DoubleEvaluator number -> {
                double result = number.evaluate(frame);
                if (!frame.isNull) {
                    key.addDouble(result);
                }
            }
            case WideEvaluator wide -> {
                wide.evaluate(frame);
                if (!frame.isNull) {
                    key.addWide(frame.wide.high(), frame.wide.low());
                }
            }
            case BytesEvaluator bytes -> {
                bytes.evaluate(frame);
                if (!frame.isNull) {
                    key.addBytes(frame.bytesAddress, frame.bytesLength);
                }
            }
        }
        if (frame.isNull) {
            key.addNull();
        }
    }
}
