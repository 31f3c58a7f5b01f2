package dev.fulmar.sql.expression;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Enumeration;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;

/** Casts and comparisons of values of types with labels; other operations do not take them. */
final class EnumRules {
    private static final ColumnType TEXT = ColumnType.varchar(Enumeration.MOST_LABEL_BYTES);

    private EnumRules() {}

    static boolean isEnum(Expression value) {
        return value.type().kind() == TypeKind.ENUM;
    }

    private static boolean isSame(ColumnType one, ColumnType other) {
        return one.kind() == TypeKind.ENUM && other.kind() == TypeKind.ENUM && one.precision() == other.precision();
    }

    /** Refuses a CAST of a label to what is no text. */
    static void checkCast(ColumnType from, ColumnType to) {
        if (from.kind() == TypeKind.ENUM && !to.kind().isCharacter() && !isSame(from, to)) {
            throw new FulmarException(
                    ErrorCode.TYPE_MISMATCH, "a " + from + " cannot be CAST to " + to + "; CAST it to VARCHAR first");
        }
    }

    /** CAST to a type with labels as a statement writes it. */
    static Expression explicit(Expression value, ColumnType type) {
        boolean isNull = value instanceof Expression.Literal literal && literal.value() == null;
        if (!isNull && !value.type().kind().isCharacter() && !isSame(value.type(), type)) {
            throw new FulmarException(
                    ErrorCode.TYPE_MISMATCH, "a " + value.type() + " cannot be CAST to " + type + "; CAST its label");
        }
        return converted(value, type);
    }

    private static Expression converted(Expression value, ColumnType type) {
        if (isSame(value.type(), type)) {
            return value;
        }
        if (value instanceof Expression.Literal literal) {
            return LiteralConversion.convert(literal, type).orElseThrow();
        }
        return new Expression.Call(ScalarFunction.CAST, List.of(value), type, value.nullable());
    }

    /** A literal, or a value of the type, where one of the type is wanted. */
    static Expression label(Expression value, ColumnType type) {
        boolean isLiteral = value instanceof Expression.Literal literal
                && (literal.value() == null || literal.value() instanceof String);
        boolean isOpen = isLiteral || value instanceof Expression.Parameter;
        if (!isOpen && !isSame(value.type(), type)) {
            throw new FulmarException(
                    ErrorCode.TYPE_MISMATCH,
                    "a " + value.type() + " stands where a " + type + " is expected; CAST it to " + type);
        }
        return converted(value, type);
    }

    /** The operands of a comparison, where a literal beside a label becomes one. */
    static List<Expression> comparable(List<Expression> operands) {
        ColumnType type = operands.stream()
                .filter(EnumRules::isEnum)
                .map(Expression::type)
                .findFirst()
                .orElse(null);
        if (type == null) {
            return operands;
        }
        for (Expression operand : operands) {
            boolean isText = operand instanceof Expression.Literal literal
                    && (literal.value() == null || literal.value() instanceof String);
            if (!isText && !(operand instanceof Expression.Parameter) && !isSame(operand.type(), type)) {
                throw new FulmarException(
                        ErrorCode.UNDEFINED_OPERATION,
                        "operator does not exist: a " + type + " does not compare with a " + operand.type()
                                + "; CAST one of them");
            }
        }
        return operands.stream().map(operand -> converted(operand, type)).toList();
    }

    /** The first or the last label of the value's type. */
    static Expression end(Expression value, boolean isFirst) {
        if (!isEnum(value)) {
            throw new FulmarException(
                    ErrorCode.UNDEFINED_OPERATION,
                    "ENUM_FIRST and ENUM_LAST take a value of a type of labels, as NULL::type, and no " + value.type());
        }
        List<Enumeration.Value> values = value.type().labels().values();
        if (values.isEmpty()) {
            throw new FulmarException(ErrorCode.INVALID_ARGUMENT, "type " + value.type() + " has no labels; add one");
        }
        Enumeration.Value end = isFirst ? values.getFirst() : values.getLast();
        return new Expression.Literal(value.type(), end.code());
    }

    /** The call, which has the labels as texts where it takes any values as text; refuses others. */
    static Expression checked(Expression expression) {
        if (!(expression instanceof Expression.Call call)
                || call.arguments().stream().noneMatch(EnumRules::isEnum)) {
            return expression;
        }
        if (call.function() == ScalarFunction.CONCAT
                && call.arguments().stream().allMatch(EnumRules::isEnum)) {
            throw refused(call); // one of the sides of || is a text
        }
        return switch (call.function()) {
            case EQUAL,
                    NOT_EQUAL,
                    LESS,
                    LESS_OR_EQUAL,
                    GREATER,
                    GREATER_OR_EQUAL,
                    IS_NOT_DISTINCT_FROM,
                    IN,
                    IS_NULL,
                    IS_NOT_NULL,
                    CASE,
                    CAST,
                    COALESCE,
                    NAMED,
                    GREATEST,
                    LEAST,
                    GREATEST_KNOWN,
                    LEAST_KNOWN -> call;
            case CONCAT, CONCAT_KNOWN, TO_JSON ->
                new Expression.Call(
                        call.function(),
                        call.arguments().stream().map(EnumRules::asText).toList(),
                        call.type(),
                        call.nullable());
            default -> throw refused(call);
        };
    }

    private static FulmarException refused(Expression.Call call) {
        ColumnType type = call.arguments().stream()
                .filter(EnumRules::isEnum)
                .findFirst()
                .orElseThrow()
                .type();
        return new FulmarException(
                ErrorCode.UNDEFINED_OPERATION,
                call.function().name().replace('_', ' ') + " does not take values of " + type
                        + "; CAST them to VARCHAR");
    }

    /** A label as text; other values as they are. */
    static Expression asText(Expression value) {
        return isEnum(value) ? Conversion.cast(value, TEXT) : value;
    }
}
