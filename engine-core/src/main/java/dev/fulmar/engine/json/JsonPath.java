package dev.fulmar.engine.json;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads lists of keys and indexes, which are arrays of texts as PostgreSQL writes them: {@code {a,0,"b c"}}. */
public final class JsonPath {
    private final String text;
    private int place;

    private JsonPath(String text) {
        this.text = text;
    }

    /** The elements; null for NULL. */
    public static List<@Nullable String> elements(String text) {
        return new JsonPath(text).read();
    }

    /** The array of the elements as text. */
    public static String text(List<String> elements) {
        StringBuilder text = new StringBuilder("{");
        for (String element : elements) {
            text.append(text.length() > 1 ? "," : "")
                    .append('"')
                    .append(element.replace("\\", "\\\\").replace("\"", "\\\""))
                    .append('"');
        }
        return text.append('}').toString();
    }

    /** The index that the step is; null if it is none. */
    static @Nullable Integer indexOrNull(String step) {
        String digits = step.stripLeading();
        try {
            return Integer.valueOf(digits);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private List<@Nullable String> read() {
        List<@Nullable String> elements = new ArrayList<>();
        skipBlank();
        if (!accept('{')) {
            throw malformed();
        }
        skipBlank();
        if (!accept('}')) {
            do {
                elements.add(element());
            } while (accept(','));
            if (!accept('}')) {
                throw malformed();
            }
        }
        skipBlank();
        if (place < text.length()) {
            throw malformed();
        }
        return elements;
    }

    private boolean accept(char wanted) {
        if (place < text.length() && text.charAt(place) == wanted) {
            place++;
            return true;
        }
        return false;
    }

    private void skipBlank() {
        while (place < text.length() && Character.isWhitespace(text.charAt(place))) {
            place++;
        }
    }

    private @Nullable String element() {
        skipBlank();
        if (accept('"')) {
            String element = quoted();
            skipBlank();
            return element;
        }
        StringBuilder element = new StringBuilder();
        int kept = 0;
        while (place < text.length() && text.charAt(place) != ',' && text.charAt(place) != '}') {
            char each = text.charAt(place++);
            if (each == '"' || each == '{') {
                throw malformed();
            }
            boolean isEscaped = each == '\\';
            if (isEscaped && place == text.length()) {
                throw malformed();
            }
            element.append(isEscaped ? text.charAt(place++) : each);
            kept = isEscaped || !Character.isWhitespace(each) ? element.length() : kept;
        }
        element.setLength(kept);
        if (element.isEmpty()) {
            throw malformed();
        }
        String plain = element.toString();
        return plain.equalsIgnoreCase("NULL") ? null : plain;
    }

    private String quoted() {
        StringBuilder element = new StringBuilder();
        while (place < text.length()) {
            char each = text.charAt(place++);
            if (each == '"') {
                return element.toString();
            }
            if (each == '\\' && place < text.length()) {
                each = text.charAt(place++);
            }
            element.append(each);
        }
        throw malformed();
    }

    private FulmarException malformed() {
        return new FulmarException(
                ErrorCode.INVALID_TEXT,
                "'" + text + "' is no array of texts; write keys and indexes as '{a,0,\"b c\"}'");
    }
}
