package dev.fulmar.sql.expression;

import dev.fulmar.engine.execution.value.ArrayTexts;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.StatementZone;
import java.util.List;

/** The operations and conversions that arrays have; others are refused. */
final class ArrayRules {
    private ArrayRules() {}

    /** CAST to an array as a statement writes it: of a text too, which no array becomes by itself. */
    static Expression explicit(Expression value, ColumnType type) {
        boolean isNull = value instanceof Expression.Literal literal && literal.value() == null;
        boolean isPossible =
                isNull || value.type().isArray() || value.type().kind().isCharacter();
        if (!isPossible) {
            throw impossible(value.type(), type);
        }
        return converted(value, type);
    }

    /** An array of another type, or a literal, as an array of the type that is wanted. */
    static Expression array(Expression value, ColumnType type) {
        boolean isOpen = value instanceof Expression.Literal || value instanceof Expression.Parameter;
        if (!isOpen && !value.type().isArray()) {
            throw impossible(value.type(), type);
        }
        return converted(value, type);
    }

    /** Refuses a CAST of an array to what is neither an array nor a text. */
    static void checkCast(ColumnType from, ColumnType to) {
        if (from.isArray() && !to.isArray() && !to.kind().isCharacter()) {
            throw impossible(from, to);
        }
    }

    private static FulmarException impossible(ColumnType from, ColumnType to) {
        return new FulmarException(
                ErrorCode.TYPE_MISMATCH,
                "a " + from + " cannot be CAST to " + to + "; a[n] is an element, and ARRAY[value] an array");
    }

    private static Expression converted(Expression value, ColumnType type) {
        if (holdsAs(value.type(), type)) {
            return value;
        }
        if (value instanceof Expression.Literal(ColumnType _, String text)) {
            NamedMoments.checkOrderOfArray(type);
            return new Expression.Literal(type, ArrayTexts.parse(text, type, StatementZone.current()));
        }
        if (value instanceof Expression.Literal literal && literal.value() == null) {
            return new Expression.Literal(type, null);
        }
        if (value.type().isArray()) {
            checkElements(value.type().element(), type.element());
        }
        return inZone(value, type);
    }

    /** Elements are cast one by one, but an instant depends on a zone. */
    private static void checkElements(ColumnType from, ColumnType to) {
        if ((from.kind() == TypeKind.TIMESTAMP_TZ) != (to.kind() == TypeKind.TIMESTAMP_TZ)) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "an array of " + from + " does not become one of " + to + "; CAST it to text first");
        }
    }

    /** Whether each array of one type is, bit for bit, the same of the other. */
    static boolean holdsAs(ColumnType from, ColumnType to) {
        return from.equals(to) || (from.isArray() && to.isArray() && Conversion.holdsAs(from.element(), to.element()));
    }

    /** The text of an array. */
    static Expression text(Expression array, ColumnType type) {
        return inZone(array, type);
    }

    /** A CAST with the zone of the statement, in which instants are read and shown. */
    private static Expression inZone(Expression value, ColumnType type) {
        ColumnType element = value.type().isArray() ? value.type().element() : type.element();
        if (element.kind() != TypeKind.TIMESTAMP_TZ) {
            return new Expression.Call(ScalarFunction.CAST, List.of(value), type, value.nullable());
        }
        String zone = ZonedTime.name(StatementZone.current());
        Expression name = new Expression.Literal(ColumnType.varchar(zone.length()), zone);
        return new Expression.Call(ScalarFunction.CAST, List.of(value, name), type, value.nullable());
    }

    /** The operands of a comparison, where a literal beside an array becomes one. */
    static List<Expression> comparable(List<Expression> operands) {
        ColumnType meeting = null;
        for (Expression operand : operands) {
            if (operand.type().isArray()) {
                meeting = meeting == null ? operand.type() : common(meeting, operand.type());
            }
        }
        if (meeting == null) {
            return operands;
        }
        ColumnType array = meeting;
        operands.forEach(operand -> checkComparable(operand, array));
        return operands.stream().map(operand -> array(operand, array)).toList();
    }

    private static void checkComparable(Expression operand, ColumnType array) {
        boolean becomesOne = operand instanceof Expression.Parameter
                || (operand instanceof Expression.Literal literal
                        && (literal.value() == null || literal.value() instanceof String));
        if (!operand.type().isArray() && !becomesOne) {
            throw incomparable(operand.type(), array);
        }
    }

    private static FulmarException incomparable(ColumnType one, ColumnType other) {
        return new FulmarException(
                ErrorCode.UNDEFINED_OPERATION, "a " + one + " does not compare with a " + other + "; CAST one of them");
    }

    private static ColumnType common(ColumnType one, ColumnType other) {
        boolean areAlike = one.element().kind() == other.element().kind();
        ColumnType element = areAlike ? Conversion.common(one.element(), other.element()) : null;
        if (element == null) {
            throw incomparable(one, other);
        }
        return ColumnType.array(element);
    }

    /** The call, unless it is a function of texts to which an array is given. */
    static Expression checked(Expression expression) {
        return TakenTypes.checked(
                expression,
                argument -> argument.type().isArray(),
                ArrayRules::takesArrays,
                "does not take arrays; CAST yields the text of one, and ARRAY_TO_STRING that of its elements");
    }

    private static boolean takesArrays(ScalarFunction function) {
        return switch (function) {
            case GREATEST,
                    LEAST,
                    GREATEST_KNOWN,
                    LEAST_KNOWN,
                    ARRAY_ELEMENT,
                    ARRAY_CONCAT,
                    ARRAY_LENGTH,
                    ARRAY_CARDINALITY,
                    ARRAY_HAS,
                    ARRAY_POSITION,
                    ARRAY_POSITIONS,
                    ARRAY_REMOVE,
                    ARRAY_REPLACE,
                    ARRAY_CONTAINS,
                    ARRAY_OVERLAPS,
                    ARRAY_JOIN,
                    ARRAY_SPLIT -> true;
            default -> false;
        };
    }
}
