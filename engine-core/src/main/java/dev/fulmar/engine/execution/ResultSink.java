package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.DoubleEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.WideEvaluator;
import dev.fulmar.engine.execution.operator.Consumer;
import dev.fulmar.foundation.data.ResultBlockWriter;
import java.util.List;

/** Writes rows of any expressions into a result block. */
class ResultSink implements Consumer {
    private final Evaluator[] columns;
    private ResultBlockWriter writer = new ResultBlockWriter(0, 0);

    ResultSink(List<Evaluator> columns) {
        this.columns = columns.toArray(Evaluator[]::new);
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
        for (int column = 0; column < columns.length; column++) {
            write(columns[column], column, frame, target);
        }
        target.endRow();
        return true;
    }

    private static void write(Evaluator evaluator, int column, Frame frame, ResultBlockWriter target) {
        switch (evaluator) {
            case LongEvaluator number -> {
                long value = number.evaluate(frame);
                if (!frame.isNull) {
                    target.setLong(column, value);
                    return;
                }
            }
            case DoubleEvaluator number -> {
                double value = number.evaluate(frame);
                if (!frame.isNull) {
                    target.setDouble(column, value);
                    return;
                }
            }
            case WideEvaluator wide -> {
                wide.evaluate(frame);
                if (!frame.isNull) {
                    target.setWide(column, frame.wide.high(), frame.wide.low());
                    return;
                }
            }
            case BytesEvaluator bytes -> {
                bytes.evaluate(frame);
                if (!frame.isNull) {
                    target.setBytes(column, frame.bytesAddress, frame.bytesLength);
                    return;
                }
            }
        }
        target.setNull(column);
    }
}
