package dev.fulmar.engine.execution.function;

import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ArrayBytes;
import dev.fulmar.foundation.data.ArrayReader;
import dev.fulmar.foundation.data.ArrayText;
import dev.fulmar.foundation.data.ArrayWriter;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Functions of arrays in the form of {@link ArrayBytes}, in which equal elements have equal bytes. A value to look for
 * comes as an array of it, so it may be NULL.
 */
final class ArrayFunctions {
    private static final ColumnType INTEGER = ColumnType.of(TypeKind.INTEGER);
    private static final ColumnType TEXT = ColumnType.varchar(ArrayBytes.MOST_BYTES);

    private ArrayFunctions() {}

    static void addTo(Map<ScalarFunction, Supplier<ValueFunction>> functions) {
        add(functions, ScalarFunction.ARRAY_LENGTH, ArrayFunctions::length);
        add(functions, ScalarFunction.ARRAY_CARDINALITY, in -> (long) ArrayBytes.count(array(in, 0)));
        add(functions, ScalarFunction.ARRAY_HAS, in -> has(array(in, 0), array(in, 1)));
        add(functions, ScalarFunction.ARRAY_POSITION, in -> position(array(in, 0), array(in, 1), (Long) in[2]));
        add(functions, ScalarFunction.ARRAY_POSITIONS, in -> positions(array(in, 0), array(in, 1)));
        add(functions, ScalarFunction.ARRAY_REMOVE, in -> replaced(array(in, 0), array(in, 1), new byte[0]));
        add(functions, ScalarFunction.ARRAY_REPLACE, in -> replaced(array(in, 0), array(in, 1), array(in, 2)));
        add(functions, ScalarFunction.ARRAY_CONTAINS, in -> contains(array(in, 0), array(in, 1)));
        add(functions, ScalarFunction.ARRAY_OVERLAPS, in -> overlaps(array(in, 0), array(in, 1)));
        add(functions, ScalarFunction.ARRAY_JOIN, in -> join((String) in[0], (String) in[1], text(array(in, 2))));
        add(functions, ScalarFunction.ARRAY_SPLIT, in -> split((String) in[0], text(array(in, 1)), text(array(in, 2))));
    }

    private static void add(
            Map<ScalarFunction, Supplier<ValueFunction>> functions, ScalarFunction name, ValueFunction function) {
        functions.put(name, () -> function);
    }

    private static byte[] array(Object[] arguments, int place) {
        return (byte[]) arguments[place];
    }

    /** The only text of an array of texts. */
    private static @Nullable String text(byte[] array) {
        ArrayReader reader = new ArrayReader(TEXT).wrap(array, 0, array.length);
        return reader.next() && !reader.isNull() ? new String(reader.text(), StandardCharsets.UTF_8) : null;
    }

    private static @Nullable Long length(Object[] arguments) {
        long count = ArrayBytes.count(array(arguments, 0));
        return count == 0 || (Long) arguments[1] != 1 ? null : count;
    }

    /** Null where a NULL may be the value. */
    private static @Nullable Boolean has(byte[] array, byte[] value) {
        if (array.length == 0) {
            return false;
        }
        if (ArrayBytes.isNull(value, 0)) {
            return null;
        }
        boolean hasNull = false;
        int after;
        for (int place = 0; place < array.length; place = after) {
            after = ArrayBytes.after(array, place, array.length);
            if (Arrays.equals(array, place, after, value, 0, value.length)) {
                return true;
            }
            hasNull |= ArrayBytes.isNull(array, place);
        }
        return hasNull ? null : false;
    }

    private static @Nullable Long position(byte[] array, byte[] value, long first) {
        long number = 1;
        int after;
        for (int place = 0; place < array.length; place = after) {
            after = ArrayBytes.after(array, place, array.length);
            if (number >= first && Arrays.equals(array, place, after, value, 0, value.length)) {
                return number;
            }
            number++;
        }
        return null;
    }

    private static byte[] positions(byte[] array, byte[] value) {
        ArrayWriter numbers = new ArrayWriter(INTEGER);
        int number = 1;
        int after;
        for (int place = 0; place < array.length; place = after) {
            after = ArrayBytes.after(array, place, array.length);
            if (Arrays.equals(array, place, after, value, 0, value.length)) {
                numbers.addLong(number);
            }
            number++;
        }
        return numbers.toByteArray();
    }

    /** The array with other elements instead of those that are the value. */
    private static byte[] replaced(byte[] array, byte[] value, byte[] other) {
        ByteArrayOutputStream kept = new ByteArrayOutputStream(array.length);
        int after;
        for (int place = 0; place < array.length; place = after) {
            after = ArrayBytes.after(array, place, array.length);
            if (Arrays.equals(array, place, after, value, 0, value.length)) {
                kept.write(other, 0, other.length);
                ArrayBytes.checkLength(kept.size());
            } else {
                kept.write(array, place, after - place);
            }
        }
        ArrayBytes.checkLength(kept.size());
        return kept.toByteArray();
    }

    /** A NULL is no element of any array. */
    private static boolean contains(byte[] array, byte[] wanted) {
        Set<ByteBuffer> elements = elements(array);
        int after;
        for (int place = 0; place < wanted.length; place = after) {
            after = ArrayBytes.after(wanted, place, wanted.length);
            if (ArrayBytes.isNull(wanted, place) || !elements.contains(ByteBuffer.wrap(wanted, place, after - place))) {
                return false;
            }
        }
        return true;
    }

    private static boolean overlaps(byte[] one, byte[] other) {
        Set<ByteBuffer> elements = elements(one);
        int after;
        for (int place = 0; place < other.length; place = after) {
            after = ArrayBytes.after(other, place, other.length);
            if (!ArrayBytes.isNull(other, place) && elements.contains(ByteBuffer.wrap(other, place, after - place))) {
                return true;
            }
        }
        return false;
    }

    private static Set<ByteBuffer> elements(byte[] array) {
        Set<ByteBuffer> elements = new HashSet<>();
        int after;
        for (int place = 0; place < array.length; place = after) {
            after = ArrayBytes.after(array, place, array.length);
            elements.add(ByteBuffer.wrap(array, place, after - place));
        }
        return elements;
    }

    private static String join(String array, String separator, @Nullable String ofNull) {
        StringJoiner text = new StringJoiner(separator);
        for (String element : ArrayText.elements(array)) {
            String shown = element == null ? ofNull : element;
            if (shown != null) {
                text.add(shown);
                ArrayBytes.checkLength(text.length());
            }
        }
        return text.toString();
    }

    /** The parts between separators: characters without one, and the whole text where it is empty. */
    private static byte[] split(String text, @Nullable String separator, @Nullable String ofNull) {
        ArrayWriter parts = new ArrayWriter(TEXT);
        for (String part : parts(text, separator)) {
            if (part.equals(ofNull)) {
                parts.addNull();
            } else {
                byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
                parts.addText(bytes, 0, bytes.length);
            }
        }
        return parts.toByteArray();
    }

    private static List<String> parts(String text, @Nullable String separator) {
        if (text.isEmpty()) {
            return List.of();
        }
        if (separator == null) {
            return text.codePoints().mapToObj(Character::toString).toList();
        }
        if (separator.isEmpty()) {
            return List.of(text);
        }
        List<String> parts = new ArrayList<>();
        int from = 0;
        for (int at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, from)) {
            parts.add(text.substring(from, at));
            from = at + separator.length();
        }
        parts.add(text.substring(from));
        return parts;
    }
}
