package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.ArrayTexts;
import dev.fulmar.engine.execution.value.NativeText;
import dev.fulmar.foundation.data.ArrayReader;
import dev.fulmar.foundation.data.ArrayWriter;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.time.ZoneId;

/** CAST between arrays, and between arrays and their text. */
final class ArrayCasts {
    private ArrayCasts() {}

    /** @param zone of instants in texts */
    static Evaluator compile(Evaluator value, ColumnType from, ColumnType to, ZoneId zone) {
        if (value instanceof BytesEvaluator bytes) {
            if (from.isArray() && to.isArray()) {
                return converted(bytes, from.element(), to.element());
            }
            if (from.isArray() && to.kind().isCharacter()) {
                return Casts.compile(text(bytes, from.element(), zone), ColumnType.varchar(0), to);
            }
            if (from.kind().isCharacter() && to.isArray()) {
                return parsed(bytes, to, zone);
            }
        }
        throw Casts.impossible(from, to);
    }

    private static BytesEvaluator text(BytesEvaluator array, ColumnType element, ZoneId zone) {
        return frame -> {
            array.evaluate(frame);
            if (!frame.isNull) {
                Results.text(frame, ArrayTexts.text(ArrayElements.loaded(frame), element, zone));
            }
        };
    }

    private static BytesEvaluator parsed(BytesEvaluator text, ColumnType type, ZoneId zone) {
        return frame -> {
            text.evaluate(frame);
            if (!frame.isNull) {
                String written = NativeText.decode(frame.bytesAddress, frame.bytesLength);
                ArrayElements.store(frame, ArrayTexts.parse(written, type, zone));
            }
        };
    }

    private static BytesEvaluator converted(BytesEvaluator array, ColumnType from, ColumnType to) {
        if (from.equals(to)) {
            return array;
        }
        ArrayReader reader = new ArrayReader(from);
        ArrayWriter writer = new ArrayWriter(to);
        Evaluator cast = Casts.compile(ArrayElements.current(reader, from), from, to);
        boolean isWord = from.kind() == TypeKind.BOOLEAN && cast instanceof BytesEvaluator;
        Evaluator element = isWord ? TextFunctions.lower((BytesEvaluator) cast) : cast;
        return frame -> {
            array.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            byte[] elements = ArrayElements.loaded(frame);
            reader.wrap(elements, 0, elements.length);
            writer.begin();
            while (reader.next()) {
                ArrayElements.add(writer, element, frame);
            }
            ArrayElements.store(frame, writer.toByteArray());
        };
    }
}
