package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.DoubleEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.WideEvaluator;
import dev.fulmar.engine.index.SearchKey;
import java.util.List;

/** Adds values of expressions to the key of an index. */
public final class IndexKeyWriter {
    private final Evaluator[] values;

    public IndexKeyWriter(List<Evaluator> values) {
        this.values = values.toArray(Evaluator[]::new);
    }

    public boolean isEmpty() {
        return values.length == 0;
    }

    /** False if a value is null, which matches nothing. */
    public boolean write(Frame frame, SearchKey key) {
        for (Evaluator value : values) {
            switch (value) {
                case LongEvaluator number -> {
                    long x = number.evaluate(frame);
                    if (!frame.isNull) {
                        key.addLong(x);
                    }
                }
                case DoubleEvaluator number -> {
                    double x = number.evaluate(frame);
                    if (!frame.isNull) {
                        key.addDouble(x);
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
                return false;
            }
        }
        return true;
    }
}
