package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.EvaluatorList;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.ParameterSlots;
import dev.fulmar.engine.execution.value.ErrorPlaces;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;

/** Puts values of expressions into columns of a row image; an error of a value names its column. */
final class ColumnAssignments {
    private final int[] columns;
    private final EvaluatorList values;

    ColumnAssignments(int[] columns, List<Evaluator> values) {
        this.columns = columns;
        this.values = new EvaluatorList(values);
    }

    void write(Frame frame, RowImage image) {
        ParameterSlots parameters = frame.parameters;
        for (int i = 0; i < columns.length; i++) {
            int parameter = values.parameter(i);
            switch (values.code(i)) {
                case EvaluatorList.LONG_PARAMETER -> {
                    if (parameters.isNull(parameter)) {
                        image.setNull(columns[i]);
                    } else {
                        image.setLong(columns[i], parameters.getLong(parameter));
                    }
                }
                case EvaluatorList.BYTES_PARAMETER -> {
                    if (parameters.isNull(parameter)) {
                        image.setNull(columns[i]);
                    } else {
                        image.setBytes(
                                columns[i], parameters.bytesAddress(parameter), parameters.bytesLength(parameter));
                    }
                }
                default -> {
                    try {
                        writeComputed(i, frame, image);
                    } catch (FulmarException e) {
                        throw ErrorPlaces.ofValue(image.layout().table().columnText(columns[i]), e);
                    }
                }
            }
        }
    }

    private void writeComputed(int i, Frame frame, RowImage image) {
        int column = columns[i];
        switch (values.code(i)) {
            case EvaluatorList.LONG -> {
                long value = values.evaluateLong(i, frame);
                if (!frame.isNull) {
                    image.setLong(column, value);
                }
            }
            case EvaluatorList.DOUBLE -> {
                double value = values.evaluateDouble(i, frame);
                if (!frame.isNull) {
                    image.setDouble(column, value);
                }
            }
            case EvaluatorList.WIDE -> {
                values.evaluateWide(i, frame);
                if (!frame.isNull) {
                    image.setWide(column, frame.wide.high(), frame.wide.low());
                }
            }
            default -> {
                values.evaluateBytes(i, frame);
                if (!frame.isNull) {
                    image.setBytes(column, frame.bytesAddress, frame.bytesLength);
                }
            }
        }
        if (frame.isNull) {
            image.setNull(column);
        }
    }
}
