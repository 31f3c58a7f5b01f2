package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.NativeText;
import dev.fulmar.engine.json.JsonParts;
import dev.fulmar.engine.json.JsonText;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** CAST to documents, and from JSONB to numbers and truth values. */
final class JsonCasts {
    private JsonCasts() {}

    static BytesEvaluator toJson(Evaluator value, ColumnType from, ColumnType to) {
        if (!(value instanceof BytesEvaluator text) || !from.kind().isText()) {
            throw Casts.impossible(from, to);
        }
        if (from.kind() == to.kind() || from.kind() == TypeKind.JSONB) {
            return text;
        }
        return frame -> {
            text.evaluate(frame);
            if (!frame.isNull) {
                Results.text(frame, JsonText.of(NativeText.decode(frame.bytesAddress, frame.bytesLength), to));
            }
        };
    }

    /** Whether a scalar document of JSONB can be a value of the type. */
    static boolean isScalar(ColumnType to) {
        return ExactNumbers.isNumber(to) || to.kind() == TypeKind.BOOLEAN;
    }

    /** The digits of a number, or the word of a truth value, as text that a CAST to the type takes. */
    static BytesEvaluator scalar(BytesEvaluator document, ColumnType to) {
        String wanted = to.kind() == TypeKind.BOOLEAN ? "boolean" : "number";
        return frame -> {
            document.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            String found = JsonParts.type(NativeText.decode(frame.bytesAddress, frame.bytesLength));
            if (!found.equals(wanted)) {
                throw new FulmarException(
                        ErrorCode.INVALID_ARGUMENT,
                        "a JSONB that is of the type " + found + " cannot be CAST to " + to + "; ->> yields its text");
            }
        };
    }
}
