package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.EvaluatorList;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.index.SearchKey;
import java.util.List;

/** Adds values of expressions to the key of an index. */
final class IndexKeyWriter {
    private final EvaluatorList values;

    IndexKeyWriter(List<Evaluator> values) {
        this.values = new EvaluatorList(values);
    }

    /** The parameter that is the i-th value, -1 if it is anything but a parameter of storage LONG. */
    int longParameter(int i) {
        return values.code(i) == EvaluatorList.LONG_PARAMETER ? values.parameter(i) : -1;
    }

    int size() {
        return values.size();
    }

    /** Whether all values are parameters as they were given, so that writing them cannot fail. */
    boolean takesParametersOnly() {
        for (int i = 0; i < values.size(); i++) {
            if (values.code(i) != EvaluatorList.LONG_PARAMETER && values.code(i) != EvaluatorList.BYTES_PARAMETER) {
                return false;
            }
        }
        return true;
    }

    /** False if a value is null, which matches nothing. */
    boolean write(Frame frame, SearchKey key) {
        int count = values.size();
        for (int i = 0; i < count; i++) {
            if (values.code(i) == EvaluatorList.LONG_PARAMETER) {
                int parameter = values.parameter(i);
                if (frame.parameters.isNull(parameter)) {
                    return false;
                }
                key.addLong(frame.parameters.getLong(parameter));
            } else if (!writeComputed(i, frame, key)) {
                return false;
            }
        }
        return true;
    }

    private boolean writeComputed(int i, Frame frame, SearchKey key) {
        switch (values.code(i)) {
            case EvaluatorList.LONG -> {
                long value = values.evaluateLong(i, frame);
                if (!frame.isNull) {
                    key.addLong(value);
                }
            }
            case EvaluatorList.DOUBLE -> {
                double value = values.evaluateDouble(i, frame);
                if (!frame.isNull) {
                    key.addDouble(value);
                }
            }
            case EvaluatorList.WIDE -> {
                values.evaluateWide(i, frame);
                if (!frame.isNull) {
                    key.addWide(frame.wide.high(), frame.wide.low());
                }
            }
            default -> {
                values.evaluateBytes(i, frame);
                if (!frame.isNull) {
                    key.addBytes(frame.bytesAddress, frame.bytesLength);
                }
            }
        }
        return !frame.isNull;
    }
}
