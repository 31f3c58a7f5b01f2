package dev.fulmar.engine.execution.function;

import dev.fulmar.engine.json.JsonText;
import dev.fulmar.engine.json.JsonWriter;
import dev.fulmar.foundation.data.ArrayText;

/** Arrays of SQL as arrays of JSON, with no blanks between the elements. */
public final class JsonArrays {
    /** What the elements become. */
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

    static String document(Object[] arguments) {
        Kind kind = Kind.valueOf((String) arguments[1]);
        StringBuilder document = new StringBuilder("[");
        for (String element : ArrayText.elements((String) arguments[0])) {
            document.append(document.length() > 1 ? "," : "").append(element == null ? "null" : kind.element(element));
        }
        return JsonText.fitting(document.append(']').toString());
    }
}
