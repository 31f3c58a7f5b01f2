package dev.fulmar.engine.json;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes documents of others that are canonical, as PostgreSQL's operators and functions of JSONB do. */
public final class JsonEdit {
    /** Ways to change the end of a path. */
    public enum Way {
        /** The value is replaced if it is there. */
        REPLACE,
        /** It is replaced or, if it is not there, added. */
        CREATE,
        INSERT_BEFORE,
        INSERT_AFTER,
        DELETE;

        boolean adds() {
            return this == CREATE || inserts();
        }

        boolean inserts() {
            return this == INSERT_BEFORE || this == INSERT_AFTER;
        }
    }

    private final List<@Nullable String> path;
    private final @Nullable JsonValue value;
    private final Way way;

    private JsonEdit(List<@Nullable String> path, @Nullable JsonValue value, Way way) {
        this.path = path;
        this.value = value;
        this.way = way;
    }

    /** Two objects as one, whose right side's members win; else the elements of both in one array. */
    public static String joined(String left, String right) {
        JsonValue one = JsonReader.value(left);
        JsonValue other = JsonReader.value(right);
        if (one instanceof JsonValue.Members mine && other instanceof JsonValue.Members theirs) {
            List<JsonValue.Member> all = new ArrayList<>(mine.members());
            all.addAll(theirs.members());
            return JsonText.canonical(JsonValue.Members.of(all));
        }
        List<JsonValue> all = new ArrayList<>(elements(one));
        all.addAll(elements(other));
        return JsonText.canonical(new JsonValue.Elements(all));
    }

    private static List<JsonValue> elements(JsonValue value) {
        return value instanceof JsonValue.Elements(List<JsonValue> values) ? values : List.of(value);
    }

    /** Without the members of the keys, or the elements that are such texts. */
    public static String without(String document, List<@Nullable String> keys) {
        Set<@Nullable String> gone = new HashSet<>(keys);
        return JsonText.canonical(
                switch (JsonReader.value(document)) {
                    case JsonValue.Elements(List<JsonValue> values) ->
                        new JsonValue.Elements(values.stream()
                                .filter(each -> !(each instanceof JsonValue.Text(String text) && gone.contains(text)))
                                .toList());
                    case JsonValue.Members(List<JsonValue.Member> members) ->
                        new JsonValue.Members(members.stream()
                                .filter(each -> !gone.contains(each.key()))
                                .toList());
                    default -> throw JsonParts.wrong("nothing can be deleted from a scalar");
                });
    }

    /** Without the element at the index, from 0, or from the end if it is negative. */
    public static String without(String document, long index) {
        return switch (JsonReader.value(document)) {
            case JsonValue.Elements(List<JsonValue> values) -> {
                long place = index < 0 ? index + values.size() : index;
                if (place < 0 || place >= values.size()) {
                    yield document;
                }
                List<JsonValue> left = new ArrayList<>(values);
                left.remove((int) place);
                yield JsonText.canonical(new JsonValue.Elements(left));
            }
            case JsonValue.Members members ->
                throw JsonParts.wrong("an object has no element of a number; delete a key");
            default -> throw JsonParts.wrong("nothing can be deleted from a scalar");
        };
    }

    /** The document with another value at the end of a path. */
    public static String changed(String document, List<@Nullable String> path, @Nullable String value, Way way) {
        JsonValue whole = JsonReader.value(document);
        if (whole.isScalar()) {
            throw JsonParts.wrong("there is no path in a scalar");
        }
        if (path.isEmpty()) {
            return document;
        }
        JsonEdit edit = new JsonEdit(path, value == null ? null : JsonReader.value(value), way);
        boolean isEmpty = switch (whole) {
            case JsonValue.Elements(List<JsonValue> values) -> values.isEmpty();
            case JsonValue.Members(List<JsonValue.Member> members) -> members.isEmpty();
            default -> false;
        };
        return isEmpty && !way.adds() ? document : JsonText.canonical(edit.at(whole, 0));
    }

    private JsonValue at(JsonValue part, int level) {
        String step = path.get(level);
        if (step == null) {
            throw new FulmarException(
                    ErrorCode.NULL_NOT_ALLOWED, "element " + (level + 1) + " of the path is null; give it a value");
        }
        return switch (part) {
            case JsonValue.Members members -> inMembers(members, step, level);
            case JsonValue.Elements(List<JsonValue> values) -> inElements(values, step, level);
            default -> part;
        };
    }

    private boolean isLast(int level) {
        return level == path.size() - 1;
    }

    private JsonValue inMembers(JsonValue.Members members, String step, int level) {
        JsonValue known = members.find(step);
        if (isLast(level) ? known == null && !way.adds() : known == null) {
            return members;
        }
        if (isLast(level) && known != null && way.inserts()) {
            throw JsonParts.wrong("the key " + step + " is there already; jsonb_set replaces a value");
        }
        List<JsonValue.Member> all = new ArrayList<>(members.members());
        all.removeIf(each -> each.key().equals(step));
        JsonValue made = isLast(level) || known == null ? value : at(known, level + 1);
        if (made != null) {
            all.add(new JsonValue.Member(step, made));
        }
        return JsonValue.Members.of(all);
    }

    private JsonValue inElements(List<JsonValue> values, String step, int level) {
        Integer written = JsonPath.indexOrNull(step);
        if (written == null) {
            throw new FulmarException(
                    ErrorCode.INVALID_TEXT,
                    "element " + (level + 1) + " of the path is '" + step + "' and no index of an array");
        }
        int index = written < 0 ? written + values.size() : written;
        List<JsonValue> all = new ArrayList<>(values);
        if (!isLast(level)) {
            if (index >= 0 && index < all.size()) {
                all.set(index, at(all.get(index), level + 1));
            }
        } else if (index < 0 || index >= all.size()) {
            if (way.adds() && value != null) {
                all.add(index < 0 ? 0 : all.size(), value);
            }
        } else if (value == null) {
            all.remove(index);
        } else if (way.inserts()) {
            all.add(way == Way.INSERT_AFTER ? index + 1 : index, value);
        } else {
            all.set(index, value);
        }
        return new JsonValue.Elements(all);
    }

    /** Without members whose values are null, at all levels. */
    public static String withoutNulls(String document) {
        return JsonText.canonical(stripped(JsonReader.value(document)));
    }

    private static JsonValue stripped(JsonValue value) {
        return switch (value) {
            case JsonValue.Elements(List<JsonValue> values) ->
                new JsonValue.Elements(values.stream().map(JsonEdit::stripped).toList());
            case JsonValue.Members(List<JsonValue.Member> members) ->
                new JsonValue.Members(members.stream()
                        .filter(each -> !(each.value() instanceof JsonValue.Nothing))
                        .map(each -> new JsonValue.Member(each.key(), stripped(each.value())))
                        .toList());
            default -> value;
        };
    }

    /** The text with a line for each part. */
    public static String pretty(String document) {
        return JsonText.fitting(JsonWriter.pretty(JsonReader.value(document)));
    }
}
