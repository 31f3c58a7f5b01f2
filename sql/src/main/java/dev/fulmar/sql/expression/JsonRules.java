package dev.fulmar.sql.expression;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;

/** The operations and conversions that documents have; others are refused. */
final class JsonRules {
    private static final ColumnType JSONB = ColumnType.of(TypeKind.JSONB);

    private JsonRules() {}

    /** Refuses a CAST of a document to what is neither text nor, of a JSONB, a number or a truth value. */
    static void checkCast(ColumnType from, ColumnType to) {
        boolean isScalar = from.equals(JSONB) && (Conversion.isNumeric(to) || to.kind() == TypeKind.BOOLEAN);
        if (from.kind().isJson() && !to.kind().isText() && !isScalar) {
            throw new FulmarException(
                    ErrorCode.TYPE_MISMATCH,
                    "a " + from + " cannot be CAST to " + to + "; ->> and #>> yield the text of a part");
        }
    }

    /** CAST to a document as a statement writes it. */
    static Expression explicit(Expression value, ColumnType type) {
        TypeKind kind = value.type().kind();
        boolean isNull = value instanceof Expression.Literal literal && literal.value() == null;
        if (!isNull && !kind.isText()) {
            throw new FulmarException(
                    ErrorCode.TYPE_MISMATCH,
                    "a " + value.type() + " cannot be CAST to " + type + "; TO_" + type + " makes a document of it");
        }
        return converted(value, type);
    }

    private static Expression converted(Expression value, ColumnType type) {
        if (value.type().equals(type)) {
            return value;
        }
        if (value instanceof Expression.Literal literal) {
            return LiteralConversion.convert(literal, type).orElseThrow();
        }
        return new Expression.Call(ScalarFunction.CAST, List.of(value), type, value.nullable());
    }

    /** A document of the other type, or a literal, as one of the type that is wanted. */
    static Expression document(Expression value, ColumnType type) {
        boolean isOpen = value instanceof Expression.Literal || value instanceof Expression.Parameter;
        if (!isOpen && !value.type().kind().isJson()) {
            throw new FulmarException(
                    ErrorCode.TYPE_MISMATCH,
                    "a " + value.type() + " stands where a " + type + " is expected; CAST it, or use TO_" + type);
        }
        return converted(value, type);
    }

    /** The operands of a comparison, where a literal beside a JSONB becomes one. */
    static List<Expression> comparable(List<Expression> operands) {
        if (operands.stream().noneMatch(operand -> operand.type().kind().isJson())) {
            return operands;
        }
        for (Expression operand : operands) {
            boolean isAlike = operand instanceof Expression.Literal
                    || operand instanceof Expression.Parameter
                    || operand.type().equals(JSONB);
            if (!isAlike || operand.type().kind() == TypeKind.JSON) {
                throw new FulmarException(
                        ErrorCode.UNDEFINED_OPERATION,
                        "a " + operand.type()
                                + " does not compare with a document; JSONB compares with JSONB, so CAST both");
            }
        }
        return operands.stream().map(operand -> converted(operand, JSONB)).toList();
    }

    /** The call, unless it is a function of texts to which a document is given. */
    static Expression checked(Expression expression) {
        return TakenTypes.isBesideText(expression)
                ? expression
                : TakenTypes.checked(
                        expression,
                        argument -> argument.type().kind().isJson(),
                        JsonRules::takesDocuments,
                        "does not take documents; ->> and #>> yield the text of a part, and CAST that of all");
    }

    private static boolean takesDocuments(ScalarFunction function) {
        return switch (function) {
            case CONCAT_KNOWN,
                    JSON_MEMBER,
                    JSON_ELEMENT,
                    JSON_AT_PATH,
                    JSON_TEXT,
                    JSON_CONTAINS,
                    JSON_HAS_KEY,
                    JSON_HAS_ANY,
                    JSON_HAS_ALL,
                    JSON_CONCAT,
                    JSON_WITHOUT_KEY,
                    JSON_WITHOUT_KEYS,
                    JSON_WITHOUT_ELEMENT,
                    JSON_WITHOUT_PATH,
                    JSON_SET,
                    JSON_INSERT,
                    JSON_STRIP_NULLS,
                    JSON_PRETTY,
                    JSON_TYPE,
                    JSON_LENGTH,
                    JSON_KEYS,
                    JSON_VALUES,
                    JSON_VALUE_TEXTS,
                    JSON_ELEMENTS,
                    JSON_ELEMENT_TEXTS,
                    JSON_ROW,
                    JSON_RECORD,
                    JSON_RECORDS,
                    JSON_QUERY_FINDS,
                    JSON_QUERY_HOLDS,
                    JSON_QUERY_MATCHES,
                    JSON_QUERY_ARRAY,
                    JSON_QUERY_FIRST,
                    JSON_QUERY_ITEMS,
                    JSON_ARRAY,
                    JSON_OBJECT,
                    JSON_PAIR -> true;
            default -> false;
        };
    }
}
