package dev.fulmar.engine.execution.function;

import dev.fulmar.engine.json.JsonText;
import dev.fulmar.engine.json.JsonWriter;
import dev.fulmar.foundation.data.ArrayText;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Arrays of SQL as arrays of JSON, with no blanks between the elements. */
public final class JsonArrays {
    /** The kinds of elements. */
    public enum Kind {
        TRUTH,
        NUMBER,
        /** A number whose digits are not all told. */
        APPROXIMATE,
        MOMENT,
        TEXT;

        private String element(String text) {
            return switch (this) {
                case TRUTH -> text.equals("t") ? "true" : "false";
                case NUMBER -> text;
                case APPROXIMATE -> JsonValues.number(text);
                case MOMENT -> JsonWriter.quoted(JsonValues.moment(text));
                case TEXT -> JsonWriter.quoted(text);
            };
        }
    }

    private JsonArrays() {}

    /** An object of texts: keys and values in turn, or keys and as many values. */
    static String object(Object[] arguments) {
        List<@Nullable String> first = ArrayText.elements((String) arguments[0]);
        boolean isPairs = arguments.length == 1;
        List<@Nullable String> second = isPairs ? first : ArrayText.elements((String) arguments[1]);
        int step = isPairs ? 2 : 1;
        if (isPairs && first.size() % 2 == 1) {
            throw wrong("an array of keys and values has an even number of elements, not " + first.size());
        }
        if (first.size() != second.size()) {
            throw wrong("there are " + first.size() + " keys and " + second.size() + " values; give as many of both");
        }
        StringBuilder object = new StringBuilder("{");
        for (int i = 0; i < first.size(); i += step) {
            String key = first.get(i);
            if (key == null) {
                throw new FulmarException(
                        ErrorCode.NULL_NOT_ALLOWED, "a key of a JSON object is not null; COALESCE gives another one");
            }
            String value = second.get(isPairs ? i + 1 : i);
            object.append(i > 0 ? ", " : "").append(JsonWriter.quoted(key)).append(" : ");
            object.append(value == null ? "null" : JsonWriter.quoted(value));
        }
        return JsonText.fitting(object.append('}').toString());
    }

    private static FulmarException wrong(String message) {
        return new FulmarException(ErrorCode.SUBSCRIPT_ERROR, message);
    }

    static String document(Object[] arguments) {
        Kind kind = Kind.valueOf((String) arguments[1]);
        StringBuilder document = new StringBuilder("[");
        for (String element : ArrayText.elements((String) arguments[0])) {
            document.append(document.length() > 1 ? "," : "").append(element == null ? "null" : kind.element(element));
        }
        return JsonText.fitting(document.append(']').toString());
    }
}
