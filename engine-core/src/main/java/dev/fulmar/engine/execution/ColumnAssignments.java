package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.DoubleEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.WideEvaluator;
import dev.fulmar.engine.row.RowImage;
import java.util.List;

/** Puts values of expressions into columns of a row image. */
final class ColumnAssignments {
    private final int[] columns;
    private final Evaluator[] values;

    ColumnAssignments(int[] columns, List<Evaluator> values) {
        this.columns = columns;
        this.values = values.toArray(Evaluator[]::new);
    }

    void write(Frame frame, RowImage image) {
        for (int i = 0; i < columns.length; i++) {
            int column = columns[i];
            switch (values[i]) {
                case LongEvaluator number -> {
                    long value = number.evaluate(frame);
                    if (!frame.isNull) {
                        image.setLong(column, value);
                        continue;
                    }
                }
                case DoubleEvaluator number -> {
                    double value = number.evaluate(frame);
                    if (!frame.isNull) {
                        image.setDouble(column, value);
                        continue;
                    }
                }
                case WideEvaluator wide -> {
                    wide.evaluate(frame);
                    if (!frame.isNull) {
                        image.setWide(column, frame.wide.high(), frame.wide.low());
                        continue;
                    }
                }
                case BytesEvaluator bytes -> {
                    bytes.evaluate(frame);
                    if (!frame.isNull) {
                        image.setBytes(column, frame.bytesAddress, frame.bytesLength);
                        continue;
                    }
                }
            }
            image.setNull(column);
        }
    }
}
