package dev.fulmar.sql.explain;

import dev.fulmar.engine.execution.value.ArrayTexts;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.Numeric;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.data.ZonedTime;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Expressions as a reader of SQL expects them; columns by name where the input has names. */
final class ExpressionPrinter {
    private static final long MICROS_PER_SECOND = 1_000_000;

    private ExpressionPrinter() {}

    static String print(Expression expression, List<String> names) {
        return switch (expression) {
            case Expression.ColumnReference reference -> names.get(reference.index());
            case Expression.OuterReference outer -> "outer" + outer.row() + ".$" + outer.column();
            case Expression.Parameter parameter -> "?" + parameter.index();
            case Expression.Literal literal -> literal(literal);
            case Expression.Call call -> call(call, names);
        };
    }

    static String print(List<Expression> expressions, List<String> names) {
        return expressions.stream().map(each -> print(each, names)).collect(Collectors.joining(", "));
    }

    /** Functions that yield several values. */
    static String print(Relation.FunctionRows rows) {
        return rows.functions().stream()
                .map(function -> switch (function.kind()) {
                            case SERIES -> "series";
                            case ELEMENTS -> "elements";
                        }
                        + "(" + print(function.arguments(), List.of()) + ")")
                .collect(Collectors.joining(", ", "rows of ", ""));
    }

    private static String literal(Expression.Literal literal) {
        Object value = literal.value();
        return switch (value) {
            case null -> "NULL";
            case String text -> "'" + text.replace("'", "''") + "'";
            case byte[] bytes
            when literal.type().isArray() ->
                "'"
                        + ArrayTexts.text(bytes, literal.type().element(), ZoneOffset.UTC)
                                .replace("'", "''") + "'";
            case byte[] bytes -> "X'" + HexFormat.of().withUpperCase().formatHex(bytes) + "'";
            case Long code
            when literal.type().kind() == TypeKind.ENUM ->
                "'" + literal.type().labels().text(code).replace("'", "''") + "'";
            case Long number -> ofLong(number, literal.type().kind());
            case Boolean flag -> flag ? "TRUE" : "FALSE";
            case Numeric number -> number.isNumber() ? number.toString() : "'" + number + "'";
            case Interval interval -> "INTERVAL '" + interval + "'";
            default -> Objects.toString(value);
        };
    }

    private static String ofLong(long number, TypeKind kind) {
        if (InfiniteTime.is(number, kind)) {
            String type = kind == TypeKind.TIMESTAMP_TZ ? "TIMESTAMPTZ" : kind.name();
            return type + " '" + InfiniteTime.text(number) + "'";
        }
        return switch (kind) {
            case DATE -> "DATE '" + LocalDate.ofEpochDay(number) + "'";
            case TIME -> "TIME '" + LocalTime.ofNanoOfDay(number * 1_000) + "'";
            case TIMESTAMP ->
                "TIMESTAMP '"
                        + Instant.ofEpochSecond(
                                        Math.floorDiv(number, MICROS_PER_SECOND),
                                        Math.floorMod(number, MICROS_PER_SECOND) * 1_000)
                                .atOffset(ZoneOffset.UTC)
                                .toLocalDateTime()
                        + "'";
            case TIMESTAMP_TZ -> "TIMESTAMPTZ '" + ZonedTime.text(number, ZoneOffset.UTC) + "'";
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    DECIMAL,
                    REAL,
                    DOUBLE,
                    CHAR,
                    VARCHAR,
                    VARBINARY,
                    UUID,
                    JSON,
                    JSONB,
                    INTERVAL,
                    ARRAY,
                    ENUM,
                    NUMERIC -> Long.toString(number);
        };
    }

    private static String call(Expression.Call call, List<String> names) {
        List<Expression> arguments = call.arguments();
        return switch (call.function()) {
            case PLUS -> infix(" + ", call, names);
            case MINUS -> infix(" - ", call, names);
            case TIMES -> infix(" * ", call, names);
            case DIVIDE -> infix(" / ", call, names);
            case MODULO -> infix(" % ", call, names);
            case EQUAL -> infix(" = ", call, names);
            case NOT_EQUAL -> infix(" <> ", call, names);
            case LESS -> infix(" < ", call, names);
            case LESS_OR_EQUAL -> infix(" <= ", call, names);
            case GREATER -> infix(" > ", call, names);
            case GREATER_OR_EQUAL -> infix(" >= ", call, names);
            case IS_NOT_DISTINCT_FROM -> infix(" IS NOT DISTINCT FROM ", call, names);
            case AND -> infix(" AND ", call, names);
            case OR -> infix(" OR ", call, names);
            case CONCAT -> infix(" || ", call, names);
            case LIKE ->
                operand(arguments.getFirst(), names) + " LIKE " + operand(arguments.get(1), names)
                        + (arguments.size() == 2 ? "" : " ESCAPE " + operand(arguments.get(2), names));
            case NOT -> "NOT " + operand(arguments.getFirst(), names);
            case NEGATE -> "-" + operand(arguments.getFirst(), names);
            case IS_NULL, IS_NOT_NULL, IS_TRUE, IS_NOT_TRUE, IS_FALSE, IS_NOT_FALSE ->
                operand(arguments.getFirst(), names) + " "
                        + call.function().name().replace('_', ' ');
            case CAST -> "CAST(" + print(arguments.getFirst(), names) + " AS " + call.type() + ")";
            case ROW_ID -> "a row id";
            case GIVEN_NUMBER -> "a number of a sequence";
            case RANDOM_FRACTION -> "RANDOM()";
            case RANDOM_UUID -> "GEN_RANDOM_UUID()";
            case NAMED -> print(arguments.getFirst(), names);
            case USER_DEFINED -> ofUsers(arguments, names);
            case IN ->
                operand(arguments.getFirst(), names) + " IN (" + print(arguments.subList(1, arguments.size()), names)
                        + ")";
            case CASE -> caseCall(arguments, names);
            case CURRENT_TIMESTAMP, CURRENT_DATE, CURRENT_TIME ->
                call.function().name();
            default -> call.function().name() + "(" + print(arguments, names) + ")";
        };
    }

    /** A function of SQL is shown as its expression, which took its place. */
    private static String ofUsers(List<Expression> arguments, List<String> names) {
        List<Expression> values = arguments.subList(1, arguments.size());
        return arguments.getFirst() instanceof Expression.Literal(ColumnType _, UserFunction function)
                        && function.body() instanceof UserFunction.JavaMethod
                ? function.name() + "(" + print(values, names) + ")"
                : operand(values.getFirst(), names);
    }

    private static String infix(String operator, Expression.Call call, List<String> names) {
        return call.arguments().stream()
                .map(argument -> operand(argument, names))
                .collect(Collectors.joining(operator));
    }

    private static String operand(Expression expression, List<String> names) {
        String text = print(expression, names);
        return expression instanceof Expression.Call call && isInfix(call.function()) ? "(" + text + ")" : text;
    }

    private static boolean isInfix(ScalarFunction function) {
        return switch (function) {
            case PLUS, MINUS, TIMES, DIVIDE, MODULO, AND, OR, CONCAT, NOT, NEGATE -> true;
            default -> false;
        };
    }

    private static String caseCall(List<Expression> arguments, List<String> names) {
        StringBuilder text = new StringBuilder("CASE");
        for (int i = 0; i + 1 < arguments.size(); i += 2) {
            text.append(" WHEN ").append(print(arguments.get(i), names));
            text.append(" THEN ").append(print(arguments.get(i + 1), names));
        }
        return text.append(" ELSE ")
                .append(print(arguments.getLast(), names))
                .append(" END")
                .toString();
    }
}
