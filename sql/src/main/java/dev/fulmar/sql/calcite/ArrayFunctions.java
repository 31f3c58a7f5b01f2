package dev.fulmar.sql.calcite;

import dev.fulmar.engine.plan.ScalarFunction;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The functions and operators of arrays. Those of names that begin with # are written in another way. */
final class ArrayFunctions {
    /** {@code ARRAY[...]}. */
    static final ArrayFunction CONSTRUCTOR = of("#ARRAY", "ARRAY", ScalarFunction.ARRAY_OF, "E+", 1, 'A');

    /** {@code array[number]}. */
    static final ArrayFunction ITEM = of("#ITEM_OF", "array[number]", ScalarFunction.ARRAY_ELEMENT, "AI", 2, 'E');

    /** {@code ||} of arrays and of an array and an element. */
    static final ArrayFunction CONCAT = of("#ARRAY||", "||", ScalarFunction.ARRAY_CONCAT, "XX", 2, 'A');

    /** {@code value = ANY (array)}, with the array first. */
    static final ArrayFunction HAS = of("#HAS", "= ANY", ScalarFunction.ARRAY_HAS, "AE", 2, 'B');

    /** {@code &&}. */
    static final ArrayFunction OVERLAPS = of("#^^", "&&", ScalarFunction.ARRAY_OVERLAPS, "AA", 2, 'B');

    static final ArrayFunction CONTAINS = of("#@>", "@>", ScalarFunction.ARRAY_CONTAINS, "AA", 2, 'B');

    static final ArrayFunction CONTAINED = of("#<@", "<@", ScalarFunction.ARRAY_CONTAINS, "AA", 2, 'B');

    private static final Map<String, ArrayFunction> BY_NAME = byName();

    private ArrayFunctions() {}

    private static ArrayFunction of(
            String name, String shown, ScalarFunction function, String parameters, int least, char result) {
        return ArrayFunction.of(name, shown, function, parameters, least, result);
    }

    /** The function of the name, which is in upper case; null if it is none of arrays. */
    static @Nullable ArrayFunction find(String name) {
        return BY_NAME.get(name);
    }

    private static Map<String, ArrayFunction> byName() {
        Map<String, ArrayFunction> functions = new HashMap<>();
        add(functions, "ARRAY_LENGTH", ScalarFunction.ARRAY_LENGTH, "AI", 2, 'I');
        add(functions, "ARRAY_UPPER", ScalarFunction.ARRAY_LENGTH, "AI", 2, 'I');
        add(functions, "ARRAY_LOWER", ScalarFunction.ARRAY_LENGTH, "AI", 2, 'I');
        add(functions, "ARRAY_NDIMS", ScalarFunction.ARRAY_LENGTH, "A", 1, 'I');
        add(functions, "CARDINALITY", ScalarFunction.ARRAY_CARDINALITY, "A", 1, 'I');
        add(functions, "ARRAY_APPEND", ScalarFunction.ARRAY_CONCAT, "AE", 2, 'A');
        add(functions, "ARRAY_PREPEND", ScalarFunction.ARRAY_CONCAT, "EA", 2, 'A');
        add(functions, "ARRAY_CAT", ScalarFunction.ARRAY_CONCAT, "AA", 2, 'A');
        add(functions, "ARRAY_REMOVE", ScalarFunction.ARRAY_REMOVE, "AE", 2, 'A');
        add(functions, "ARRAY_REPLACE", ScalarFunction.ARRAY_REPLACE, "AEE", 3, 'A');
        add(functions, "ARRAY_POSITION", ScalarFunction.ARRAY_POSITION, "AEI", 2, 'I');
        add(functions, "ARRAY_POSITIONS", ScalarFunction.ARRAY_POSITIONS, "AE", 2, 'N');
        add(functions, "ARRAY_TO_STRING", ScalarFunction.ARRAY_JOIN, "ATT", 2, 'T');
        add(functions, "STRING_TO_ARRAY", ScalarFunction.ARRAY_SPLIT, "TTT", 2, 'S');
        add(functions, "REGEXP_MATCH", ScalarFunction.REGEXP_MATCH, "TTT", 2, 'S');
        add(functions, "#REGEXP_MATCHES", ScalarFunction.REGEXP_MATCHES, "TTT", 2, 'S');
        add(functions, "REGEXP_SPLIT_TO_ARRAY", ScalarFunction.REGEXP_SPLIT, "TTT", 2, 'S');
        return Map.copyOf(functions);
    }

    private static void add(
            Map<String, ArrayFunction> functions,
            String name,
            ScalarFunction function,
            String parameters,
            int least,
            char result) {
        functions.put(name, of(name, name, function, parameters, least, result));
    }
}
