package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.EvaluatorList;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.operator.Consumer;
import dev.fulmar.foundation.data.ResultBlockWriter;
import java.util.List;

/** Writes rows of any expressions into a result block. */
class ResultSink implements Consumer {
    private final EvaluatorList values;
    private ResultBlockWriter writer = new ResultBlockWriter(0, 0);

    ResultSink(List<Evaluator> columns) {
        values = new EvaluatorList(columns);
    }

    void setWriter(ResultBlockWriter newWriter) {
        writer = newWriter;
    }

    ResultBlockWriter writer() {
        return writer;
    }

    @Override
    public boolean accept(Frame frame) {
        ResultBlockWriter target = writer;
        target.startRow();
        int count = values.size();
        for (int i = 0; i < count; i++) {
            write(i, frame, target);
        }
        target.endRow();
        return true;
    }

    private void write(int i, Frame frame, ResultBlockWriter target) {
        switch (values.code(i)) {
            case EvaluatorList.LONG, EvaluatorList.LONG_PARAMETER -> {
                long value = values.evaluateLong(i, frame);
                if (!frame.isNull) {
                    target.setLong(i, value);
                }
            }
            case EvaluatorList.DOUBLE -> {
                double value = values.evaluateDouble(i, frame);
                if (!frame.isNull) {
                    target.setDouble(i, value);
                }
            }
            case EvaluatorList.WIDE -> {
                values.evaluateWide(i, frame);
                if (!frame.isNull) {
                    target.setWide(i, frame.wide.high(), frame.wide.low());
                }
            }
            default -> {
                values.evaluateBytes(i, frame);
                if (!frame.isNull) {
                    target.setBytes(i, frame.bytesAddress, frame.bytesLength);
                }
            }
        }
        if (frame.isNull) {
            target.setNull(i);
        }
    }
}
