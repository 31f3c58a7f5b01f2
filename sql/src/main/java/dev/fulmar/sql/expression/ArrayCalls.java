package dev.fulmar.sql.expression;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.sql.calcite.ArrayFunction;
import dev.fulmar.sql.calcite.ArrayType;
import dev.fulmar.sql.calcite.TypeMapping;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Calls of functions and operators of arrays. All arrays and elements of a call become those of one type. A value that
 * is looked for, and one that may be NULL, is given as an array of it.
 */
final class ArrayCalls {
    private static final ColumnType TEXT = ColumnType.varchar(TypeMapping.MAX_LENGTH);
    private static final ColumnType INTEGER = ColumnType.of(TypeKind.INTEGER);
    private static final Expression ONE = new Expression.Literal(Expressions.BIGINT, 1L);
    private static final Expression NO_TEXT = new Expression.Literal(TEXT, null);

    private final ArrayFunction function;
    private final List<Expression> operands;
    private final List<RelDataType> types;

    /** The type of the arrays of the call; null where it has none. */
    private final @Nullable ColumnType array;

    private ArrayCalls(ArrayFunction function, List<Expression> operands, RexCall call, RelDataTypeFactory factory) {
        this.function = function;
        this.operands = operands;
        types = call.getOperands().stream().map(RexNode::getType).toList();
        array = function.array(factory, types).orElse(null);
    }

    static Expression of(ArrayFunction function, List<Expression> operands, RexCall call, RelDataTypeFactory factory) {
        ColumnType type = TypeMapping.columnType(call.getType());
        return new ArrayCalls(function, operands, call, factory).call(type);
    }

    private Expression call(ColumnType type) {
        return switch (function.function()) {
            case CAST -> ArrayRules.explicit(operands.getFirst(), type);
            case ARRAY_OF -> made(operands, type);
            case ARRAY_ELEMENT -> call(ScalarFunction.ARRAY_ELEMENT, List.of(array(0), integer(1)), type);
            case ARRAY_CONCAT -> call(ScalarFunction.ARRAY_CONCAT, List.of(joined(0), joined(1)), type);
            case ARRAY_LENGTH -> length();
            case ARRAY_CARDINALITY -> call(ScalarFunction.ARRAY_CARDINALITY, List.of(array(0)), INTEGER);
            case ARRAY_POSITION -> {
                Expression first = operands.size() > 2 ? integer(2) : ONE;
                yield call(ScalarFunction.ARRAY_POSITION, List.of(array(0), value(1), first), type);
            }
            case ARRAY_CONTAINS -> {
                List<Expression> arrays = List.of(array(0), array(1));
                yield call(
                        ScalarFunction.ARRAY_CONTAINS,
                        function.shown().equals("<@") ? arrays.reversed() : arrays,
                        type);
            }
            case ARRAY_JOIN -> {
                Expression text = ArrayRules.text(array(0), TEXT);
                yield call(ScalarFunction.ARRAY_JOIN, List.of(text, text(1), textOrNull(2)), type);
            }
            case REGEXP_MATCH, REGEXP_MATCHES, REGEXP_SPLIT ->
                call(
                        function.function(),
                        operands.size() > 2 ? List.of(text(0), text(1), text(2)) : List.of(text(0), text(1)),
                        type);
            case ARRAY_SPLIT -> call(ScalarFunction.ARRAY_SPLIT, List.of(text(0), textOrNull(1), textOrNull(2)), type);
            default -> call(function.function(), converted(), type);
        };
    }

    private static Expression call(ScalarFunction function, List<Expression> arguments, ColumnType type) {
        return new Expression.Call(function, arguments, type, true);
    }

    /** Each operand as an array, values as arrays of themselves. */
    private List<Expression> converted() {
        List<Expression> arguments = new ArrayList<>();
        for (int i = 0; i < operands.size(); i++) {
            arguments.add(function.letter(i) == 'E' ? value(i) : array(i));
        }
        return arguments;
    }

    private ColumnType known() {
        return array == null ? ColumnType.array(TEXT) : array;
    }

    private Expression array(int place) {
        return Conversion.cast(operands.get(place), known());
    }

    /** The value as an array of it. */
    private Expression value(int place) {
        return made(List.of(operands.get(place)), known());
    }

    /** An operand of {@code ||}: a text literal stands for an array, as NULL does. */
    private Expression joined(int place) {
        boolean isOpen = types.get(place).getSqlTypeName() == SqlTypeName.CHAR
                || types.get(place).getSqlTypeName() == SqlTypeName.NULL;
        boolean isValue = function.letter(place) == 'E'
                || (function.letter(place) == 'X' && !ArrayType.is(types.get(place)) && !isOpen);
        return isValue ? value(place) : array(place);
    }

    private static Expression made(List<Expression> values, ColumnType type) {
        List<Expression> elements = new ArrayList<>();
        for (Expression value : values) {
            if (value.type().isArray()) {
                throw SqlErrors.notSupported(
                        "arrays of several dimensions are not supported; keep the inner ones in rows of their own");
            }
            elements.add(element(value, type.element()));
        }
        return new Expression.Call(ScalarFunction.ARRAY_OF, elements, type, false);
    }

    /** A truth value in a text has small letters, as in PostgreSQL. */
    private static Expression element(Expression value, ColumnType type) {
        Expression element = Conversion.cast(value, type);
        boolean isWord = value.type().kind() == TypeKind.BOOLEAN && type.kind().isCharacter();
        return isWord ? Expressions.strict(ScalarFunction.LOWER, type, element) : element;
    }

    private Expression integer(int place) {
        return Conversion.cast(operands.get(place), Expressions.BIGINT);
    }

    private Expression text(int place) {
        Expression operand = operands.get(place);
        return operand.type().kind().isCharacter() ? operand : Conversion.cast(operand, TEXT);
    }

    /** A text that may be NULL, as an array of it. */
    private Expression textOrNull(int place) {
        Expression text = place < operands.size() ? Conversion.cast(operands.get(place), TEXT) : NO_TEXT;
        return new Expression.Call(ScalarFunction.ARRAY_OF, List.of(text), ColumnType.array(TEXT), false);
    }

    /** The number of the last element, which is that of elements, or 1 for that of the first and of dimensions. */
    private Expression length() {
        Expression dimension = operands.size() > 1 ? integer(1) : ONE;
        Expression length = call(ScalarFunction.ARRAY_LENGTH, List.of(array(0), dimension), INTEGER);
        boolean isOne =
                function.getName().equals("ARRAY_LOWER") || function.getName().equals("ARRAY_NDIMS");
        if (!isOne) {
            return length;
        }
        Expression isThere =
                new Expression.Call(ScalarFunction.IS_NOT_NULL, List.of(length), Expressions.BOOLEAN, false);
        return call(
                ScalarFunction.CASE,
                List.of(isThere, new Expression.Literal(INTEGER, 1L), new Expression.Literal(INTEGER, null)),
                INTEGER);
    }
}
