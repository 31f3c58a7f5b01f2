package dev.fulmar.engine.json;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A JSON document, or a part of one, whose numbers and texts are read. Immutable. */
public sealed interface JsonValue {
    /** Bytes in UTF-8 of a character of Java's, of which it has at least one. */
    int MOST_BYTES_OF_CHARACTER = 3;

    /** The order of keys: that of their lengths in UTF-8, and then of their bytes. */
    Comparator<String> KEY_ORDER = (one, other) -> {
        if (one.length() / MOST_BYTES_OF_CHARACTER > other.length()
                || other.length() / MOST_BYTES_OF_CHARACTER > one.length()) {
            return Integer.compare(one.length(), other.length()); // a long one costs no more than a short one
        }
        byte[] left = one.getBytes(StandardCharsets.UTF_8);
        byte[] right = other.getBytes(StandardCharsets.UTF_8);
        return left.length != right.length
                ? Integer.compare(left.length, right.length)
                : Arrays.compareUnsigned(left, right);
    };

    /** The value that JSON calls null. */
    record Nothing() implements JsonValue {}

    /** True or false. */
    record Truth(boolean value) implements JsonValue {}

    /** A number with the digits behind its point. */
    record Number(BigDecimal value) implements JsonValue {}

    /** A text without quotes and escapes. */
    record Text(String value) implements JsonValue {}

    /** An array. */
    record Elements(List<JsonValue> values) implements JsonValue {
        public Elements {
            values = List.copyOf(values);
        }
    }

    /** An object: its members in the order of their keys. */
    record Members(List<Member> members) implements JsonValue {
        public Members {
            members = List.copyOf(members);
        }

        /** The object of the members, of which the last one of a key counts. */
        static Members of(List<Member> written) {
            Map<String, JsonValue> sorted = new TreeMap<>(KEY_ORDER);
            written.forEach(member -> sorted.put(member.key(), member.value()));
            List<Member> members = new ArrayList<>(sorted.size());
            sorted.forEach((key, value) -> members.add(new Member(key, value)));
            return new Members(members);
        }

        /** The value of the key, or null if there is none. */
        @Nullable JsonValue find(String key) {
            int low = 0;
            int high = members.size() - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                int order = KEY_ORDER.compare(members.get(middle).key(), key);
                if (order == 0) {
                    return members.get(middle).value();
                }
                if (order < 0) {
                    low = middle + 1;
                } else {
                    high = middle - 1;
                }
            }
            return null;
        }
    }

    /** A key of an object with its value. */
    record Member(String key, JsonValue value) {}

    /** Whether it is neither an array nor an object. */
    default boolean isScalar() {
        return !(this instanceof Elements) && !(this instanceof Members);
    }
}
