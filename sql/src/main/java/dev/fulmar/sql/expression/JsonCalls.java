package dev.fulmar.sql.expression;

import dev.fulmar.engine.execution.function.JsonArrays;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.calcite.JsonFunction;
import dev.fulmar.sql.calcite.TypeMapping;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls of functions and operators of documents. Functions that make documents of values make JSON, with the blanks
 * that PostgreSQL puts there; a CAST makes JSONB of it.
 */
final class JsonCalls {
    private static final ColumnType JSON = ColumnType.of(TypeKind.JSON);
    private static final ColumnType JSONB = ColumnType.of(TypeKind.JSONB);
    private static final ColumnType TEXT = ColumnType.varchar(TypeMapping.MAX_LENGTH);
    private static final ColumnType INTEGER = ColumnType.of(TypeKind.INTEGER);
    private static final Expression NULL_DOCUMENT = new Expression.Literal(JSON, "null");

    private JsonCalls() {}

    /** @param operands as they are written, one for each argument */
    static Expression of(JsonFunction function, List<Expression> operands, ColumnType type) {
        List<Expression> arguments = new ArrayList<>();
        for (int i = 0; i < operands.size(); i++) {
            arguments.add(argument(function, i, operands.get(i)));
        }
        return switch (function.function()) {
            case CAST -> JsonRules.explicit(operands.getFirst(), type);
            case TO_JSON -> ofValue(function, operands.getFirst(), type);
            case JSON_MEMBER -> member(arguments, type);
            case JSON_AT_PATH -> atPath(function, arguments, type);
            case JSON_CONTAINS ->
                call(
                        ScalarFunction.JSON_CONTAINS,
                        function.shown().equals("<@") ? arguments.reversed() : arguments,
                        type);
            case JSON_WITHOUT_KEY -> call(deletion(arguments.get(1)), arguments, type);
            case JSON_SET -> call(ScalarFunction.JSON_SET, withFlag(arguments, true), type);
            case JSON_INSERT -> call(ScalarFunction.JSON_INSERT, withFlag(arguments, false), type);
            case JSON_ROW -> row(operands);
            case JSON_ARRAY -> made(ScalarFunction.JSON_ARRAY, known(operands), type);
            case JSON_OBJECT -> {
                checkPairs(function, operands);
                yield made(ScalarFunction.JSON_OBJECT, known(operands), type);
            }
            case JSON_PAIR -> {
                checkPairs(function, operands);
                yield call(ScalarFunction.JSON_PAIR, known(operands), type);
            }
            case JSON_OF_ITEMS, JSON_OF_PAIRS, JSON_OF_TEXTS -> made(function.function(), arguments, type);
            case JSON_STRIP_NULLS -> as(call(ScalarFunction.JSON_STRIP_NULLS, arguments, JSON), type);
            case JSON_LENGTH -> call(ScalarFunction.JSON_LENGTH, arguments, INTEGER);
            default -> call(function.function(), arguments, type);
        };
    }

    private static Expression argument(JsonFunction function, int place, Expression operand) {
        return switch (function.letter(place)) {
            case 'J' -> JsonRules.document(operand, JSON);
            case 'B' -> JsonRules.document(operand, JSONB);
            case 'T', 'P' -> operand.type().kind().isCharacter() ? operand : Conversion.cast(operand, TEXT);
            case 'M' ->
                operand.type().isArray()
                        ? call(ScalarFunction.JSON_LIST, List.of(Conversion.cast(operand, TEXT)), TEXT)
                        : key(operand);
            case 'K' -> key(operand);
            default -> operand;
        };
    }

    private static Expression key(Expression operand) {
        return operand.type().kind().isInteger() ? Conversion.cast(operand, Expressions.BIGINT) : operand;
    }

    private static Expression call(ScalarFunction function, List<Expression> arguments, ColumnType type) {
        return new Expression.Call(function, arguments, type, true);
    }

    /** A document that was made as JSON, as the type. */
    private static Expression as(Expression document, ColumnType type) {
        return document.type().equals(type) ? document : call(ScalarFunction.CAST, List.of(document), type);
    }

    private static Expression made(ScalarFunction function, List<Expression> arguments, ColumnType type) {
        return as(call(function, arguments, JSON), type);
    }

    /** A parameter is a text, and means an element by its number where the document is an array. */
    private static Expression member(List<Expression> arguments, ColumnType type) {
        if (arguments.get(1) instanceof Expression.Parameter) {
            Expression path = call(ScalarFunction.JSON_PATH, arguments.subList(1, 2), TEXT);
            return part(ScalarFunction.JSON_AT_PATH, List.of(arguments.getFirst(), path), type);
        }
        if (!arguments.get(1).type().kind().isInteger()) {
            return part(ScalarFunction.JSON_MEMBER, arguments, type);
        }
        boolean isCanonical = arguments.getFirst().type().equals(JSONB);
        List<Expression> all = new ArrayList<>(arguments);
        all.add(new Expression.Literal(Expressions.BOOLEAN, isCanonical));
        return part(ScalarFunction.JSON_ELEMENT, all, type);
    }

    private static Expression part(ScalarFunction function, List<Expression> arguments, ColumnType type) {
        ColumnType document = arguments.getFirst().type();
        Expression part = call(function, arguments, document);
        return type.kind().isJson() ? part : call(ScalarFunction.JSON_TEXT, List.of(part), type);
    }

    private static Expression atPath(JsonFunction function, List<Expression> arguments, ColumnType type) {
        boolean isListed = function.letter(1) == 'T';
        if (!isListed) {
            return part(ScalarFunction.JSON_AT_PATH, arguments, type);
        }
        Expression path = arguments.size() == 1
                ? new Expression.Literal(TEXT, "{}")
                : call(ScalarFunction.JSON_PATH, arguments.subList(1, arguments.size()), TEXT);
        return part(ScalarFunction.JSON_AT_PATH, List.of(arguments.getFirst(), path), type);
    }

    private static ScalarFunction deletion(Expression key) {
        if (key.type().kind().isInteger()) {
            return ScalarFunction.JSON_WITHOUT_ELEMENT;
        }
        boolean isList = key instanceof Expression.Call call
                && (call.function() == ScalarFunction.JSON_PATH || call.function() == ScalarFunction.JSON_LIST);
        return isList ? ScalarFunction.JSON_WITHOUT_KEYS : ScalarFunction.JSON_WITHOUT_KEY;
    }

    private static List<Expression> withFlag(List<Expression> arguments, boolean otherwise) {
        if (arguments.size() > 3) {
            return arguments;
        }
        List<Expression> all = new ArrayList<>(arguments);
        all.add(new Expression.Literal(Expressions.BOOLEAN, otherwise));
        return all;
    }

    private static List<Expression> known(List<Expression> values) {
        return values.stream().map(JsonCalls::known).toList();
    }

    /** The value as JSON, where JSON's null stands for NULL. */
    private static Expression known(Expression value) {
        return new Expression.Call(ScalarFunction.COALESCE, List.of(document(value), NULL_DOCUMENT), JSON, false);
    }

    /** The value as JSON, or as the JSONB that it is. */
    private static Expression document(Expression value) {
        TypeKind kind = value.type().kind();
        return switch (kind) {
            case JSON -> value;
            case ENUM -> call(ScalarFunction.TO_JSON, List.of(EnumRules.asText(value)), JSON);
            case ARRAY ->
                call(
                        ScalarFunction.TO_JSON_ARRAY,
                        List.of(
                                ArrayRules.text(value, TEXT),
                                new Expression.Literal(
                                        TEXT,
                                        kind(value.type().element().kind()).name())),
                        JSON);
            case JSONB -> call(ScalarFunction.CAST, List.of(value), JSON);
            case DATE, TIME, TIMESTAMP, TIMESTAMP_TZ ->
                call(ScalarFunction.TO_JSON_MOMENT, List.of(Conversion.cast(value, TEXT)), JSON);
            case REAL, DOUBLE -> call(ScalarFunction.TO_JSON_NUMBER, List.of(Conversion.cast(value, TEXT)), JSON);
            default -> call(ScalarFunction.TO_JSON, List.of(value), JSON);
        };
    }

    private static JsonArrays.Kind kind(TypeKind element) {
        return switch (element) {
            case BOOLEAN -> JsonArrays.Kind.TRUTH;
            case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL -> JsonArrays.Kind.NUMBER;
            case REAL, DOUBLE -> JsonArrays.Kind.APPROXIMATE;
            case DATE, TIME, TIMESTAMP, TIMESTAMP_TZ -> JsonArrays.Kind.MOMENT;
            case VARCHAR, CHAR, VARBINARY, UUID, JSON, JSONB, INTERVAL, ARRAY, ENUM, NUMERIC -> JsonArrays.Kind.TEXT;
        };
    }

    /** The row's mark, and texts between which its values stand. */
    private static Expression row(List<Expression> operands) {
        List<Expression> arguments = new ArrayList<>();
        for (int i = 0; i < operands.size(); i++) {
            boolean isValue = i > 0 && i % 2 == 0;
            arguments.add(isValue ? known(operands.get(i)) : operands.get(i));
        }
        return call(ScalarFunction.JSON_ROW, arguments, JSON);
    }

    private static Expression ofValue(JsonFunction function, Expression value, ColumnType type) {
        if (function.isLine()) {
            return line(value);
        }
        return type.kind().isJson() ? as(document(value), type) : known(value);
    }

    /** The value as JSON behind the mark of a line; JSON's null has none. */
    private static Expression line(Expression value) {
        List<Expression> parts = List.of(Expressions.TRUE, new Expression.Literal(TEXT, "\u0001"), document(value));
        Expression line = call(ScalarFunction.JSON_ROW, parts, JSON);
        return new Expression.Call(ScalarFunction.COALESCE, List.of(line, NULL_DOCUMENT), JSON, false);
    }

    private static void checkPairs(JsonFunction function, List<Expression> operands) {
        if (operands.size() % 2 == 1) {
            throw new FulmarException(
                    ErrorCode.INVALID_ARGUMENT, function.shown() + " takes a key and a value, again and again");
        }
        for (int i = 0; i < operands.size(); i += 2) {
            if (operands.get(i).type().kind().isJson()) {
                throw new FulmarException(
                        ErrorCode.INVALID_ARGUMENT,
                        function.shown() + " takes no document as a key; ->> yields the text of a part");
            }
        }
    }
}
