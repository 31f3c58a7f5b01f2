package dev.fulmar.engine.json;

import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Searches documents for others and for keys. */
public final class JsonSearch {
    private JsonSearch() {}

    /** Whether the members and elements of the second are in the first, at all levels. */
    public static boolean contains(String document, String part) {
        JsonValue whole = JsonReader.value(document);
        JsonValue sought = JsonReader.value(part);
        // An array contains a scalar that is one of its elements; so it is at the top alone.
        if (whole instanceof JsonValue.Elements(List<JsonValue> values) && sought.isScalar()) {
            return hasScalar(values, sought);
        }
        return contains(whole, sought);
    }

    private static boolean contains(JsonValue whole, JsonValue part) {
        return switch (part) {
            case JsonValue.Members(List<JsonValue.Member> wanted) ->
                whole instanceof JsonValue.Members mine
                        && wanted.stream().allMatch(each -> {
                            JsonValue known = mine.find(each.key());
                            return known != null && contains(known, each.value());
                        });
            case JsonValue.Elements(List<JsonValue> wanted) ->
                whole instanceof JsonValue.Elements(List<JsonValue> mine) && containsAll(mine, wanted);
            default -> equal(whole, part);
        };
    }

    private static boolean containsAll(List<JsonValue> values, List<JsonValue> wanted) {
        return wanted.stream()
                .allMatch(part -> part.isScalar()
                        ? hasScalar(values, part)
                        : values.stream().anyMatch(each -> contains(each, part)));
    }

    private static boolean hasScalar(List<JsonValue> values, JsonValue scalar) {
        return values.stream().anyMatch(each -> equal(each, scalar));
    }

    /** Whether two scalars are equal: numbers may differ in their scale. */
    private static boolean equal(JsonValue one, JsonValue other) {
        if (one instanceof JsonValue.Number(BigDecimal left) && other instanceof JsonValue.Number(BigDecimal right)) {
            return left.compareTo(right) == 0;
        }
        return one.equals(other);
    }

    /** Whether the text is a key of the object, an element of the array, or the document itself. */
    public static boolean has(String document, String key) {
        return keys(document).contains(key);
    }

    public static boolean hasAny(String document, List<@Nullable String> keys) {
        Set<String> known = keys(document);
        return keys.stream().anyMatch(key -> key != null && known.contains(key));
    }

    public static boolean hasAll(String document, List<@Nullable String> keys) {
        Set<String> known = keys(document);
        return keys.stream().allMatch(key -> key == null || known.contains(key));
    }

    private static Set<String> keys(String document) {
        Set<String> keys = new HashSet<>();
        if (JsonParts.first(document) == '"') {
            addText(document, keys);
        }
        JsonParts.visit(document, (key, from, to) -> {
            if (key != null) {
                keys.add(key);
            } else if (document.charAt(from) == '"') {
                addText(document.substring(from, to), keys);
            }
        });
        return keys;
    }

    private static void addText(String document, Set<String> keys) {
        String text = JsonParts.text(document);
        if (text != null) {
            keys.add(text);
        }
    }
}
