package dev.fulmar.sql.calcite;

import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeTransforms;

/** The functions and operators of documents. Those of names that begin with # are written in another way. */
final class JsonFunctions {
    /** {@code ||} of documents. */
    static final JsonFunction CONCAT = of("#||", "||", ScalarFunction.JSON_CONCAT, "BB", documents());

    /** {@code -} of documents. */
    static final JsonFunction MINUS = of("#-", "-", ScalarFunction.JSON_WITHOUT_KEY, "BM", documents());

    /** CAST to JSON. */
    static final JsonFunction AS_JSON = of("#JSON", "CAST to JSON", ScalarFunction.CAST, "j", texts());

    /** CAST to JSONB. */
    static final JsonFunction AS_JSONB = of("#JSONB", "CAST to JSONB", ScalarFunction.CAST, "b", documents());

    /** A value as an element of an array, as text. */
    static final JsonFunction ITEM = of("#ITEM", "JSON_AGG", ScalarFunction.TO_JSON, "*", text());

    /** The same of an array or a row, which has a line of its own. */
    static final JsonFunction LINE = of("#LINE", "JSON_AGG", ScalarFunction.TO_JSON, "*", text());

    /** A value as an element of an array of SQL that becomes one of JSON. */
    static final JsonFunction ELEMENT = of("#ELEMENT_OF", "ARRAY_TO_JSON", ScalarFunction.TO_JSON, "*", text());

    /** A key and a value as a member of an object, as text. */
    static final JsonFunction PAIR = of("#PAIR", "JSON_OBJECT_AGG", ScalarFunction.JSON_PAIR, "**", text());

    /** A row as an object: a value that the row has, then texts between which its values stand. */
    static final JsonFunction ROW = variadic("#ROW", "ROW", ScalarFunction.JSON_ROW, "*+", 1, texts());

    /** ROW_TO_JSON when its row is known. */
    static final JsonFunction OF_ROW =
            variadic("#ROW_TO_JSON", "ROW_TO_JSON", ScalarFunction.TO_JSON, "*Z", 1, texts());

    /** The same of ARRAY_TO_JSON when its array is known. */
    static final JsonFunction OF_ARRAY =
            variadic("ARRAY_TO_JSON", "ARRAY_TO_JSON", ScalarFunction.TO_JSON, "A", 1, texts());

    /** Texts as the text of an array. */
    static final JsonFunction PATH = variadic("#PATH", "ARRAY", ScalarFunction.JSON_PATH, "T+", 1, text());

    /** {@code document['key']}. */
    static final JsonFunction SUBSCRIPT =
            of("#SUBSCRIPT", "document[key]", ScalarFunction.JSON_MEMBER, "BK", documents());

    /** The functions to which {@link JsonOperators} turns the words between operands. */
    static final Map<String, JsonFunction> OPERATORS = operators();

    private JsonFunctions() {}

    static List<JsonFunction> all() {
        List<JsonFunction> all = new ArrayList<>(List.of(CONCAT, MINUS, AS_JSON, AS_JSONB, ITEM, PAIR, PATH));
        all.addAll(List.of(LINE, ELEMENT, ROW, OF_ROW, OF_ARRAY, SUBSCRIPT));
        all.add(variadic("ROW_TO_JSON", "ROW_TO_JSON", ScalarFunction.TO_JSON, "RZ", 1, texts()));
        all.addAll(OPERATORS.values());
        all.addAll(ofDocument("JSON", "J", texts()));
        all.addAll(ofDocument("JSONB", "B", documents()));
        all.add(variadic("#JSON_OBJECT", "JSON_OBJECT", ScalarFunction.JSON_OF_TEXTS, "PP", 1, texts()));
        all.add(variadic("JSONB_OBJECT", "JSONB_OBJECT", ScalarFunction.JSON_OF_TEXTS, "PP", 1, documents()));
        all.add(of("#JSON_RECORD", "JSON_TO_RECORD", ScalarFunction.JSON_RECORD, "J", texts()));
        all.add(of("#JSONB_RECORD", "JSONB_TO_RECORD", ScalarFunction.JSON_RECORD, "B", documents()));
        all.add(ofPath("JSONB_PATH_EXISTS", ScalarFunction.JSON_QUERY_FINDS, ReturnTypes.BOOLEAN_FORCE_NULLABLE));
        all.add(ofPath("JSONB_PATH_MATCH", ScalarFunction.JSON_QUERY_MATCHES, ReturnTypes.BOOLEAN_FORCE_NULLABLE));
        all.add(ofPath("JSONB_PATH_QUERY_ARRAY", ScalarFunction.JSON_QUERY_ARRAY, documents()));
        all.add(ofPath("JSONB_PATH_QUERY_FIRST", ScalarFunction.JSON_QUERY_FIRST, documents()));
        all.add(ofPath("#JSONB_PATH_ITEMS", ScalarFunction.JSON_QUERY_ITEMS, arrays()));
        all.add(of("JSONB_PRETTY", ScalarFunction.JSON_PRETTY, "B", text()));
        all.add(of("JSONB_CONTAINS", ScalarFunction.JSON_CONTAINS, "BB", ReturnTypes.BOOLEAN_NULLABLE));
        all.add(of("JSONB_EXISTS", ScalarFunction.JSON_HAS_KEY, "BT", ReturnTypes.BOOLEAN_NULLABLE));
        all.add(of("JSONB_EXISTS_ANY", ScalarFunction.JSON_HAS_ANY, "BP", ReturnTypes.BOOLEAN_NULLABLE));
        all.add(of("JSONB_EXISTS_ALL", ScalarFunction.JSON_HAS_ALL, "BP", ReturnTypes.BOOLEAN_NULLABLE));
        all.add(of("JSONB_CONCAT", ScalarFunction.JSON_CONCAT, "BB", documents()));
        all.add(of("JSONB_DELETE", ScalarFunction.JSON_WITHOUT_KEY, "BM", documents()));
        all.add(of("JSONB_DELETE_PATH", ScalarFunction.JSON_WITHOUT_PATH, "BP", documents()));
        all.add(variadic("JSONB_SET", "JSONB_SET", ScalarFunction.JSON_SET, "BPBZ", 3, documents()));
        all.add(variadic("JSONB_INSERT", "JSONB_INSERT", ScalarFunction.JSON_INSERT, "BPBZ", 3, documents()));
        return all;
    }

    /** The functions that there are of both types. */
    private static List<JsonFunction> ofDocument(String type, String letter, SqlReturnTypeInference document) {
        return List.of(
                of("#" + type + "_KEYS", type + "_OBJECT_KEYS", ScalarFunction.JSON_KEYS, letter, arrays()),
                of("#" + type + "_VALUES", type + "_EACH", ScalarFunction.JSON_VALUES, letter, arrays()),
                of("#" + type + "_VALUE_TEXTS", type + "_EACH_TEXT", ScalarFunction.JSON_VALUE_TEXTS, letter, arrays()),
                of("#" + type + "_ELEMENTS", type + "_ARRAY_ELEMENTS", ScalarFunction.JSON_ELEMENTS, letter, arrays()),
                of(
                        "#" + type + "_ELEMENT_TEXTS",
                        type + "_ARRAY_ELEMENTS_TEXT",
                        ScalarFunction.JSON_ELEMENT_TEXTS,
                        letter,
                        arrays()),
                of("#" + type + "_RECORDS", type + "_TO_RECORDSET", ScalarFunction.JSON_RECORDS, letter, arrays()),
                of(type + "_TYPEOF", ScalarFunction.JSON_TYPE, letter, text()),
                of(type + "_ARRAY_LENGTH", ScalarFunction.JSON_LENGTH, letter, ReturnTypes.INTEGER_NULLABLE),
                of(type + "_STRIP_NULLS", ScalarFunction.JSON_STRIP_NULLS, letter, document),
                of("TO_" + type, ScalarFunction.TO_JSON, "*", document),
                variadic(
                        type + "_EXTRACT_PATH",
                        type + "_EXTRACT_PATH",
                        ScalarFunction.JSON_AT_PATH,
                        letter + "T+",
                        1,
                        document),
                variadic(
                        type + "_EXTRACT_PATH_TEXT",
                        type + "_EXTRACT_PATH_TEXT",
                        ScalarFunction.JSON_AT_PATH,
                        letter + "T+",
                        1,
                        text()),
                variadic(type + "_BUILD_ARRAY", type + "_BUILD_ARRAY", ScalarFunction.JSON_ARRAY, "*+", 0, document),
                variadic(type + "_BUILD_OBJECT", type + "_BUILD_OBJECT", ScalarFunction.JSON_OBJECT, "*+", 0, document),
                of("#" + type + "_ITEMS", type + "_AGG", ScalarFunction.JSON_OF_ITEMS, "T", document),
                of("#" + type + "_PAIRS", type + "_OBJECT_AGG", ScalarFunction.JSON_OF_PAIRS, "T", document));
    }

    private static Map<String, JsonFunction> operators() {
        SqlReturnTypeInference same = ReturnTypes.ARG0.andThen(SqlTypeTransforms.FORCE_NULLABLE);
        Map<String, JsonFunction> operators = new HashMap<>();
        add(operators, "#->", "->", ScalarFunction.JSON_MEMBER, "DK", same);
        add(operators, "#->>", "->>", ScalarFunction.JSON_MEMBER, "DK", text());
        add(operators, "#^>", "#>", ScalarFunction.JSON_AT_PATH, "DP", same);
        add(operators, "#^>>", "#>>", ScalarFunction.JSON_AT_PATH, "DP", text());
        add(operators, "#^<", "#-", ScalarFunction.JSON_WITHOUT_PATH, "BP", documents());
        add(operators, "#^=", "@>", ScalarFunction.JSON_CONTAINS, "BB", ReturnTypes.BOOLEAN_NULLABLE);
        add(operators, "#<^", "<@", ScalarFunction.JSON_CONTAINS, "BB", ReturnTypes.BOOLEAN_NULLABLE);
        add(operators, "#?", "?", ScalarFunction.JSON_HAS_KEY, "BT", ReturnTypes.BOOLEAN_NULLABLE);
        add(operators, "#@?", "@?", ScalarFunction.JSON_QUERY_FINDS, "BT", ReturnTypes.BOOLEAN_FORCE_NULLABLE);
        add(operators, "#@@", "@@", ScalarFunction.JSON_QUERY_HOLDS, "BT", ReturnTypes.BOOLEAN_FORCE_NULLABLE);
        add(operators, "#?|", "?|", ScalarFunction.JSON_HAS_ANY, "BP", ReturnTypes.BOOLEAN_NULLABLE);
        add(operators, "#?&", "?&", ScalarFunction.JSON_HAS_ALL, "BP", ReturnTypes.BOOLEAN_NULLABLE);
        return Map.copyOf(operators);
    }

    /** A function of a document, a path and an object of variables. */
    private static JsonFunction ofPath(String name, ScalarFunction function, SqlReturnTypeInference type) {
        return variadic(name, name, function, "BTB", 2, type);
    }

    private static void add(
            Map<String, JsonFunction> operators,
            String mark,
            String shown,
            ScalarFunction function,
            String parameters,
            SqlReturnTypeInference type) {
        operators.put(mark, of(mark, shown, function, parameters, type));
    }

    private static JsonFunction of(
            String name, ScalarFunction function, String parameters, SqlReturnTypeInference type) {
        return of(name, name, function, parameters, type);
    }

    private static JsonFunction of(
            String name, String shown, ScalarFunction function, String parameters, SqlReturnTypeInference type) {
        return JsonFunction.of(name, shown, function, parameters, parameters.length(), type);
    }

    private static JsonFunction variadic(
            String name,
            String shown,
            ScalarFunction function,
            String parameters,
            int least,
            SqlReturnTypeInference type) {
        return JsonFunction.of(name, shown, function, parameters, least, type);
    }

    private static SqlReturnTypeInference text() {
        return DialectFunctions.TEXT_OR_NULL;
    }

    /** Arrays of texts. */
    private static SqlReturnTypeInference arrays() {
        ColumnType type = ColumnType.array(ColumnType.varchar(TypeMapping.MAX_LENGTH));
        return binding -> ArrayType.of(binding.getTypeFactory(), type, true);
    }

    private static SqlReturnTypeInference texts() {
        return binding -> JsonType.of(binding.getTypeFactory(), TypeKind.JSON, true);
    }

    private static SqlReturnTypeInference documents() {
        return binding -> JsonType.of(binding.getTypeFactory(), TypeKind.JSONB, true);
    }
}
