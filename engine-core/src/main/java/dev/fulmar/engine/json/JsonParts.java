package dev.fulmar.engine.json;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds parts of a document that is JSON already. A part is the text that stands for it, so nothing is made of the
 * others.
 */
public final class JsonParts {
    /** Hears of the parts of an array or object, one after the other. */
    @FunctionalInterface
    interface Visitor {
        /**
         * A part.
         *
         * @param key null in an array
         * @param from where the part begins
         * @param to behind its end
         */
        void part(@Nullable String key, int from, int to);
    }

    /** The last part that fits. */
    private static final class Found {
        private int index;
        private int from = -1;
        private int to;

        private @Nullable String in(String document) {
            return from < 0 ? null : document.substring(from, to);
        }
    }

    private JsonParts() {}

    /** The first character that is no blank, which says what the document is. */
    static char first(String document) {
        return new JsonReader(document, false).peek();
    }

    static void visit(String document, Visitor visitor) {
        JsonReader reader = new JsonReader(document, false);
        if (reader.accept('[')) {
            if (!reader.accept(']')) {
                do {
                    visitValue(reader, null, visitor);
                } while (reader.accept(','));
            }
        } else if (reader.accept('{') && !reader.accept('}')) {
            do {
                reader.peek();
                String key = reader.string(true);
                reader.expect(':', "':'");
                visitValue(reader, key, visitor);
            } while (reader.accept(','));
        }
    }

    private static void visitValue(JsonReader reader, @Nullable String key, Visitor visitor) {
        reader.peek();
        int from = reader.place();
        reader.value();
        visitor.part(key, from, reader.place());
    }

    /** The value of the key, the last one if there are several; null where there is none. */
    public static @Nullable String member(String document, String key) {
        if (first(document) != '{') {
            return null;
        }
        Found found = new Found();
        visit(document, (each, from, to) -> {
            if (key.equals(each)) {
                found.from = from;
                found.to = to;
            }
        });
        return found.in(document);
    }

    /**
     * The element at the index, from 0, or from the end if it is negative; null where there is none.
     *
     * @param isCanonical whether the document is a JSONB, of which a scalar is an array of itself
     */
    public static @Nullable String element(String document, long index, boolean isCanonical) {
        char first = first(document);
        if (first != '[') {
            boolean isItself = isCanonical && first != '{' && (index == 0 || index == -1);
            return isItself ? document : null;
        }
        long wanted = index < 0 ? index + count(document) : index;
        Found found = new Found();
        visit(document, (key, from, to) -> {
            if (found.index++ == wanted) {
                found.from = from;
                found.to = to;
            }
        });
        return found.in(document);
    }

    private static int count(String document) {
        Found found = new Found();
        visit(document, (key, from, to) -> found.index++);
        return found.index;
    }

    /** The part that the keys and indexes lead to; null where there is none. */
    public static @Nullable String atPath(String document, List<@Nullable String> path) {
        if (path.isEmpty()) {
            char first = first(document);
            return first == '[' || first == '{' ? document.strip() : document.stripTrailing();
        }
        String part = document;
        for (String step : path) {
            if (step == null) {
                return null;
            }
            if (first(part) == '[') {
                Integer index = JsonPath.indexOrNull(step);
                part = index == null ? null : element(part, index, false);
            } else {
                part = member(part, step);
            }
            if (part == null) {
                return null;
            }
        }
        return part;
    }

    /** The keys of an object, as they stand there. */
    public static List<String> keys(String document) {
        checkObject(document);
        List<String> keys = new ArrayList<>();
        visit(document, (key, from, to) -> {
            if (key != null) {
                keys.add(key);
            }
        });
        return keys;
    }

    /** The values of an object, as documents. */
    public static List<String> values(String document) {
        checkObject(document);
        return parts(document);
    }

    /** The elements of an array, as documents. */
    public static List<String> elements(String document) {
        if (first(document) != '[') {
            throw wrong("cannot extract elements from " + (first(document) == '{' ? "an object" : "a scalar")
                    + "; pass an array");
        }
        return parts(document);
    }

    /** The document itself, which is an object. */
    public static String object(String document) {
        checkObject(document);
        return document;
    }

    private static void checkObject(String document) {
        if (first(document) != '{') {
            throw wrong("only an object has keys and values, and no " + (first(document) == '[' ? "array" : "scalar")
                    + "; pass an object");
        }
    }

    private static List<String> parts(String document) {
        List<String> parts = new ArrayList<>();
        visit(document, (key, from, to) -> parts.add(document.substring(from, to)));
        return parts;
    }

    /** The part as SQL's text: null for JSON's null, a text without quotes, all else as it stands. */
    public static @Nullable String text(@Nullable String part) {
        if (part == null) {
            return null;
        }
        JsonReader reader = new JsonReader(part, false);
        return switch (reader.peek()) {
            case 'n' -> null;
            case '"' -> reader.string(true);
            default -> part;
        };
    }

    /** The kind of the document, as PostgreSQL names it. */
    public static String type(String document) {
        return switch (first(document)) {
            case '{' -> "object";
            case '[' -> "array";
            case '"' -> "string";
            case 't', 'f' -> "boolean";
            case 'n' -> "null";
            default -> "number";
        };
    }

    /** Elements of an array. */
    public static long length(String document) {
        return switch (first(document)) {
            case '[' -> count(document);
            case '{' -> throw wrong("an object has no array length; ask for one of an array");
            default -> throw wrong("a scalar has no array length; ask for one of an array");
        };
    }

    /** Without blanks, and without members whose values are null; all else as it is written. */
    public static String withoutNulls(String document) {
        StringBuilder text = new StringBuilder();
        addWithoutNulls(document, text);
        return text.toString();
    }

    private static void addWithoutNulls(String document, StringBuilder text) {
        char first = first(document);
        switch (first) {
            case '"' -> text.append(JsonWriter.quoted(new JsonReader(document.strip(), false).string(true)));
            case '{', '[' -> {
                int begin = text.append(first).length();
                visit(document, (key, from, to) -> {
                    String part = document.substring(from, to);
                    if (key == null || first(part) != 'n') {
                        text.append(text.length() > begin ? "," : "");
                        text.append(key == null ? "" : JsonWriter.quoted(key) + ":");
                        addWithoutNulls(part, text);
                    }
                });
                text.append(first == '[' ? ']' : '}');
            }
            default -> text.append(document.strip());
        }
    }

    static FulmarException wrong(String message) {
        return new FulmarException(ErrorCode.INVALID_ARGUMENT, message);
    }
}
