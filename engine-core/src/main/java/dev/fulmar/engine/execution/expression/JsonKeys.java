package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.IntervalArithmetic;
import dev.fulmar.engine.execution.value.NativeText;
import dev.fulmar.engine.json.JsonOrder;
import dev.fulmar.engine.json.JsonReader;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.NumericBytes;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Values as they are compared, sorted and grouped. Of a JSONB these are the bytes of its order, and of an interval the
 * microseconds that it has if a month is 30 days of 24 hours. Those of a NUMERIC are without its digits behind the
 * point. Others compare themselves.
 */
public final class JsonKeys {
    private JsonKeys() {}

    /** The value whose bytes or bits compare; there is none of a JSON. */
    public static Evaluator comparable(Evaluator value, ColumnType type) {
        if (type.kind() == TypeKind.JSON) {
            throw new FulmarException(
                    ErrorCode.UNDEFINED_OPERATION,
                    "values of type JSON are text as it was written, which has no equality and no order; CAST them to"
                            + " JSONB");
        }
        if (type.kind() == TypeKind.INTERVAL && value instanceof WideEvaluator interval) {
            return (WideEvaluator) frame -> {
                interval.evaluate(frame);
                IntervalArithmetic.toSpan(frame.wide);
            };
        }
        if (type.kind() == TypeKind.NUMERIC && value instanceof BytesEvaluator numeric) {
            return (BytesEvaluator) frame -> {
                numeric.evaluate(frame);
                frame.bytesLength -= NumericBytes.SCALE_BYTES;
            };
        }
        return type.kind() == TypeKind.JSONB && value instanceof BytesEvaluator document ? ordered(document) : value;
    }

    private static BytesEvaluator ordered(BytesEvaluator document) {
        return frame -> {
            document.evaluate(frame);
            if (!frame.isNull) {
                byte[] bytes =
                        JsonOrder.bytes(JsonReader.value(NativeText.decode(frame.bytesAddress, frame.bytesLength)));
                long target = frame.temporary.allocate(bytes.length);
                OffHeap.copy(bytes, 0, target, bytes.length);
                Results.bytes(frame, target, bytes.length);
            }
        };
    }
}
