package dev.fulmar.engine.execution.function;

import dev.fulmar.engine.json.JsonReader;
import dev.fulmar.engine.json.JsonText;
import dev.fulmar.engine.json.JsonValue;
import dev.fulmar.engine.json.JsonWriter;
import dev.fulmar.engine.json.PathQuery;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ArrayWriter;
import dev.fulmar.foundation.data.ColumnType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Functions of paths of SQL/JSON. They keep the path that was read last. */
final class JsonQueries {
    private @Nullable Known known;

    private record Known(String path, PathQuery query) {}

    static void addTo(Map<ScalarFunction, Supplier<ValueFunction>> functions) {
        functions.put(ScalarFunction.JSON_QUERY_FINDS, () -> new JsonQueries()::finds);
        functions.put(ScalarFunction.JSON_QUERY_HOLDS, () -> new JsonQueries()::holds);
        functions.put(ScalarFunction.JSON_QUERY_MATCHES, () -> new JsonQueries()::matches);
        functions.put(ScalarFunction.JSON_QUERY_ARRAY, () -> new JsonQueries()::array);
        functions.put(ScalarFunction.JSON_QUERY_FIRST, () -> new JsonQueries()::first);
        functions.put(ScalarFunction.JSON_QUERY_ITEMS, () -> new JsonQueries()::items);
    }

    private List<JsonValue> found(Object[] arguments) {
        Known last = known;
        if (last == null || !last.path.equals(arguments[1])) {
            last = new Known((String) arguments[1], PathQuery.of((String) arguments[1]));
            known = last;
        }
        JsonValue variables = arguments.length > 2 ? JsonReader.value((String) arguments[2]) : null;
        return last.query.items(JsonReader.value((String) arguments[0]), variables);
    }

    Boolean finds(Object[] arguments) {
        return !found(arguments).isEmpty();
    }

    @Nullable Boolean holds(Object[] arguments) {
        List<JsonValue> found = found(arguments);
        return (found.size() == 1 && found.getFirst() instanceof JsonValue.Truth(boolean truth)) ? truth : null;
    }

    @Nullable Boolean matches(Object[] arguments) {
        List<JsonValue> found = found(arguments);
        boolean isOne = found.size() == 1;
        if (isOne && found.getFirst() instanceof JsonValue.Nothing) {
            return null;
        }
        if (isOne && found.getFirst() instanceof JsonValue.Truth(boolean truth)) {
            return truth;
        }
        throw TextValues.wrong("a single truth value is expected of the path; compare in it, as $.a == 1");
    }

    String array(Object[] arguments) {
        return JsonText.fitting(JsonWriter.text(new JsonValue.Elements(found(arguments))));
    }

    @Nullable String first(Object[] arguments) {
        List<JsonValue> found = found(arguments);
        return found.isEmpty() ? null : JsonWriter.text(found.getFirst());
    }

    byte[] items(Object[] arguments) {
        ArrayWriter array = new ArrayWriter(ColumnType.varchar(1));
        for (JsonValue item : found(arguments)) { // one by one, for an array that is too long ends
            byte[] text = JsonWriter.text(item).getBytes(StandardCharsets.UTF_8);
            array.addText(text, 0, text.length);
        }
        return array.toByteArray();
    }
}
