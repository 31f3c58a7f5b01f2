package dev.fulmar.engine.execution.function;

import dev.fulmar.engine.json.JsonEdit;
import dev.fulmar.engine.json.JsonEdit.Way;
import dev.fulmar.engine.json.JsonParts;
import dev.fulmar.engine.json.JsonPath;
import dev.fulmar.engine.json.JsonSearch;
import dev.fulmar.engine.json.JsonText;
import dev.fulmar.engine.json.JsonWriter;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ArrayWriter;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.Numeric;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Operators and functions of documents. A document is its text; so is a list of keys and indexes. */
final class JsonValues {
    /** No document has it, for characters of control are escaped there. */
    private static final char LINE = '\u0001';

    private JsonValues() {}

    static void addTo(Map<ScalarFunction, Supplier<ValueFunction>> functions) {
        JsonQueries.addTo(functions);
        add(functions, ScalarFunction.JSON_MEMBER, in -> JsonParts.member(text(in, 0), text(in, 1)));
        add(
                functions,
                ScalarFunction.JSON_ELEMENT,
                in -> JsonParts.element(text(in, 0), (Long) in[1], (Boolean) in[2]));
        add(functions, ScalarFunction.JSON_AT_PATH, in -> JsonParts.atPath(text(in, 0), path(in, 1)));
        add(functions, ScalarFunction.JSON_TEXT, in -> JsonParts.text(text(in, 0)));
        add(functions, ScalarFunction.JSON_CONTAINS, in -> JsonSearch.contains(text(in, 0), text(in, 1)));
        add(functions, ScalarFunction.JSON_HAS_KEY, in -> JsonSearch.has(text(in, 0), text(in, 1)));
        add(functions, ScalarFunction.JSON_HAS_ANY, in -> JsonSearch.hasAny(text(in, 0), path(in, 1)));
        add(functions, ScalarFunction.JSON_HAS_ALL, in -> JsonSearch.hasAll(text(in, 0), path(in, 1)));
        add(functions, ScalarFunction.JSON_CONCAT, in -> JsonEdit.joined(text(in, 0), text(in, 1)));
        add(functions, ScalarFunction.JSON_WITHOUT_KEY, in -> JsonEdit.without(text(in, 0), List.of(text(in, 1))));
        add(functions, ScalarFunction.JSON_WITHOUT_KEYS, in -> JsonEdit.without(text(in, 0), path(in, 1)));
        add(functions, ScalarFunction.JSON_WITHOUT_ELEMENT, in -> JsonEdit.without(text(in, 0), (Long) in[1]));
        add(
                functions,
                ScalarFunction.JSON_WITHOUT_PATH,
                in -> JsonEdit.changed(text(in, 0), path(in, 1), null, Way.DELETE));
        add(
                functions,
                ScalarFunction.JSON_SET,
                in -> JsonEdit.changed(
                        text(in, 0), path(in, 1), text(in, 2), (Boolean) in[3] ? Way.CREATE : Way.REPLACE));
        add(
                functions,
                ScalarFunction.JSON_INSERT,
                in -> JsonEdit.changed(
                        text(in, 0), path(in, 1), text(in, 2), (Boolean) in[3] ? Way.INSERT_AFTER : Way.INSERT_BEFORE));
        add(functions, ScalarFunction.JSON_STRIP_NULLS, in -> JsonParts.withoutNulls(text(in, 0)));
        add(functions, ScalarFunction.JSON_PRETTY, in -> JsonEdit.pretty(text(in, 0)));
        add(functions, ScalarFunction.JSON_TYPE, in -> JsonParts.type(text(in, 0)));
        add(functions, ScalarFunction.JSON_KEYS, in -> texts(JsonParts.keys(text(in, 0)), false));
        add(functions, ScalarFunction.JSON_VALUES, in -> texts(JsonParts.values(text(in, 0)), false));
        add(functions, ScalarFunction.JSON_VALUE_TEXTS, in -> texts(JsonParts.values(text(in, 0)), true));
        add(functions, ScalarFunction.JSON_ELEMENTS, in -> texts(JsonParts.elements(text(in, 0)), false));
        add(functions, ScalarFunction.JSON_ELEMENT_TEXTS, in -> texts(JsonParts.elements(text(in, 0)), true));
        add(functions, ScalarFunction.JSON_LENGTH, in -> JsonParts.length(text(in, 0)));
        add(functions, ScalarFunction.TO_JSON, in -> document(in[0]));
        add(functions, ScalarFunction.TO_JSON_MOMENT, in -> JsonWriter.quoted(moment(text(in, 0))));
        add(functions, ScalarFunction.TO_JSON_NUMBER, in -> number(text(in, 0)));
        add(functions, ScalarFunction.TO_JSON_ARRAY, JsonArrays::document);
        add(functions, ScalarFunction.JSON_OF_TEXTS, JsonArrays::object);
        add(functions, ScalarFunction.JSON_RECORD, in -> JsonParts.object(text(in, 0)));
        add(functions, ScalarFunction.JSON_RECORDS, in -> records(text(in, 0)));
        add(functions, ScalarFunction.JSON_ROW, JsonValues::row);
        add(functions, ScalarFunction.JSON_ARRAY, JsonValues::array);
        add(functions, ScalarFunction.JSON_OBJECT, JsonValues::object);
        add(functions, ScalarFunction.JSON_PAIR, in -> JsonWriter.quoted(key(text(in, 0))) + " : " + text(in, 1));
        add(functions, ScalarFunction.JSON_OF_ITEMS, in -> JsonText.fitting("[" + inLines(text(in, 0)) + "]"));
        add(functions, ScalarFunction.JSON_OF_PAIRS, in -> JsonText.fitting("{ " + text(in, 0) + " }"));
        add(functions, ScalarFunction.JSON_PATH, JsonValues::pathOf);
        add(functions, ScalarFunction.JSON_LIST, JsonValues::checkedPath);
    }

    /** An array of the parts, or of what each of them is as a text of SQL. */
    static byte[] texts(List<String> parts, boolean areTexts) {
        ArrayWriter array = new ArrayWriter(ColumnType.varchar(1));
        for (String part : parts) {
            String text = areTexts ? JsonParts.text(part) : part;
            if (text == null) {
                array.addNull();
            } else {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                array.addText(bytes, 0, bytes.length);
            }
        }
        return array.toByteArray();
    }

    private static byte[] records(String document) {
        List<String> elements = JsonParts.elements(document);
        elements.forEach(JsonParts::object);
        return texts(elements, false);
    }

    private static String checkedPath(Object[] arguments) {
        String text = text(arguments, 0);
        JsonPath.elements(text);
        return text;
    }

    private static void add(
            Map<ScalarFunction, Supplier<ValueFunction>> functions, ScalarFunction name, ValueFunction function) {
        functions.put(name, () -> function);
    }

    private static String text(Object[] arguments, int place) {
        return (String) arguments[place];
    }

    private static List<@Nullable String> path(Object[] arguments, int place) {
        return JsonPath.elements(text(arguments, place));
    }

    private static String pathOf(Object[] arguments) {
        List<String> steps = new ArrayList<>();
        for (Object argument : arguments) {
            steps.add((String) argument);
        }
        return JsonPath.text(steps);
    }

    /** A value of SQL as JSON; moments come as text already. */
    private static String document(Object value) {
        return switch (value) {
            case Boolean truth -> truth.toString();
            case Long number -> number.toString();
            case BigDecimal number -> number.toPlainString();
            case Numeric number -> number.isNumber() ? number.toString() : JsonWriter.quoted(number.toString());
            case byte[] bytes -> JsonWriter.quoted("\\x" + HexFormat.of().formatHex(bytes));
            case UUID uuid -> JsonWriter.quoted(uuid.toString());
            case Interval interval -> JsonWriter.quoted(interval.toString());
            default -> JsonText.fitting(JsonWriter.quoted((String) value));
        };
    }

    /** A date and a time of day with the letter of ISO 8601 between them, and an offset with minutes. */
    static String moment(String text) {
        String moment = text.replace(' ', 'T');
        int sign = Math.max(moment.lastIndexOf('+'), moment.lastIndexOf('-'));
        boolean isBare = moment.indexOf('T') > 0 && sign > moment.indexOf('T') && moment.indexOf(':', sign) < 0;
        return isBare ? moment + ":00" : moment;
    }

    /** A text stands for NaN and the infinities, which JSON has no number for. */
    static String number(String text) {
        boolean isFinite = text.chars().anyMatch(Character::isDigit);
        return isFinite ? text.replace("E", "e") : JsonWriter.quoted(text);
    }

    /** Each item that begins with a mark, but the first one, begins a line. */
    private static String inLines(String items) {
        return items.indexOf(LINE) < 0
                ? items
                : (items.charAt(0) == LINE ? items.substring(1) : items).replace(String.valueOf(LINE), "\n ");
    }

    private static String row(Object[] arguments) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i < arguments.length; i++) {
            text.append((String) arguments[i]);
        }
        return JsonText.fitting(text.toString());
    }

    private static String array(Object[] arguments) {
        StringBuilder text = new StringBuilder("[");
        for (Object argument : arguments) {
            text.append(text.length() > 1 ? ", " : "").append((String) argument);
        }
        return JsonText.fitting(text.append(']').toString());
    }

    /** key, value, key, value, ...: each of them JSON. */
    private static String object(Object[] arguments) {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < arguments.length; i += 2) {
            text.append(i > 0 ? ", " : "")
                    .append(JsonWriter.quoted(key(text(arguments, i))))
                    .append(" : ")
                    .append(text(arguments, i + 1));
        }
        return JsonText.fitting(text.append('}').toString());
    }

    private static String key(String document) {
        String key = JsonParts.text(document);
        if (key == null) {
            throw TextValues.wrong("a key of a JSON object is not null; COALESCE gives another one");
        }
        return key;
    }
}
