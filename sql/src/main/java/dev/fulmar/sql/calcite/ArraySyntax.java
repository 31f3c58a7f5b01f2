package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCollectionTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlTypeNameSpec;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.util.Litmus;
import org.jspecify.annotations.Nullable;

/**
 * Syntax of arrays as calls of {@link ArrayFunctions}: constructors, casts, elements, {@code = ANY} and the functions
 * by their names. ARRAY_AGG becomes STRING_AGG of arrays of one element, with nothing between them.
 */
final class ArraySyntax {
    /** Functions that PostgreSQL has of arrays, and Fulmar has not. */
    private static final Set<String> MISSING = Set.of(
            "UNNEST",
            "ARRAY_DIMS",
            "ARRAY_FILL",
            "ARRAY_SAMPLE",
            "ARRAY_SHUFFLE",
            "TRIM_ARRAY",
            "STRING_TO_TABLE",
            "GENERATE_SUBSCRIPTS");

    /** The scale of numbers whose type says none. */
    private static final int UNSAID_SCALE = 12;

    private static final RelDataTypeFactory TYPES = new DialectTypeFactory();

    private ArraySyntax() {}

    /** The call in its form; itself if it is no such call. */
    static SqlNode settled(SqlCall call) {
        SqlParserPos place = call.getParserPosition();
        return switch (call.getKind()) {
            case CAST -> call.operandCount() == 2 ? cast(call) : call;
            case ARRAY_VALUE_CONSTRUCTOR -> {
                if (call.operandCount() == 0) {
                    throw SqlErrors.at(
                            ErrorCode.INDETERMINATE_TYPE,
                            at(place),
                            "the type of an empty array cannot be told; CAST it, as ARRAY[]::integer[]");
                }
                yield ArrayFunctions.CONSTRUCTOR.createCall(place, call.getOperandList());
            }
            case ARRAY_QUERY_CONSTRUCTOR -> ArrayQueries.settled(call);
            case ITEM -> ArrayFunctions.ITEM.createCall(place, call.getOperandList());
            case UNNEST -> throw missing(call, "UNNEST");
            case SOME, ALL -> quantified(call);
            default -> byName(call);
        };
    }

    private static SqlNode byName(SqlCall call) {
        String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
        if (name.equals(DialectAggregate.OF_ARRAYS) && !(call.getOperator() instanceof DialectAggregate)) {
            return aggregate(call);
        }
        if (MISSING.contains(name)) {
            throw missing(call, name);
        }
        ArrayFunction function = call.getOperator() instanceof ArrayFunction ? null : ArrayFunctions.find(name);
        return function == null ? call : function.createCall(call.getParserPosition(), call.getOperandList());
    }

    private static FulmarException missing(SqlCall call, String name) {
        return refused(
                call, name + " is not supported; a[n] is an element, and a table of the elements has rows of them");
    }

    static FulmarException refused(SqlCall call, String message) {
        return SqlErrors.at(ErrorCode.NOT_SUPPORTED, at(call.getParserPosition()), message);
    }

    private static Position at(SqlParserPos place) {
        return new Position(place.getLineNum(), place.getColumnNum());
    }

    private static SqlNode cast(SqlCall call) {
        ColumnType type = call.operand(1) instanceof SqlDataTypeSpec spec ? type(spec) : null;
        if (type == null) {
            return call;
        }
        SqlNode value = call.operand(0);
        if (!(value instanceof SqlCall array) || array.getKind() != SqlKind.ARRAY_VALUE_CONSTRUCTOR) {
            return ArrayFunction.cast(type).createCall(call.getParserPosition(), value);
        }
        return array.operandCount() > 0
                ? ArrayFunction.constructor(type).createCall(call.getParserPosition(), array.getOperandList())
                : ArrayFunction.cast(type)
                        .createCall(
                                call.getParserPosition(), SqlLiteral.createCharString("{}", value.getParserPosition()));
    }

    /** The type of arrays that is meant; null if it is another one. */
    private static @Nullable ColumnType type(SqlDataTypeSpec spec) {
        if (!(spec.getTypeNameSpec() instanceof SqlCollectionTypeNameSpec collection)
                || !collection.getTypeName().getSimple().equals(SqlTypeName.ARRAY.name())) {
            return null;
        }
        SqlTypeNameSpec element = WrittenForms.known(
                        new SqlDataTypeSpec(collection.getElementTypeName(), spec.getParserPosition()))
                .getTypeNameSpec();
        if (element instanceof SqlCollectionTypeNameSpec) {
            throw SqlErrors.notSupported(
                    "arrays of several dimensions are not supported; keep the inner ones in rows of their own");
        }
        if (!(element instanceof SqlBasicTypeNameSpec basic) || basic instanceof CharTypeName) {
            throw noElements(element.getTypeName().toString());
        }
        SqlTypeName name = SqlTypeName.get(basic.getTypeName().getSimple());
        if (name == null) {
            throw noElements(element.getTypeName().toString());
        }
        return ColumnType.array(ArrayFunction.element(element(name, basic)));
    }

    private static FulmarException noElements(String type) {
        return SqlErrors.notSupported(
                "arrays of " + type + " are not supported; docs/SQL.md lists the types of elements");
    }

    private static ColumnType element(SqlTypeName name, SqlBasicTypeNameSpec spec) {
        if (name == SqlTypeName.DECIMAL && spec.getPrecision() < 0) {
            return ColumnType.decimal(ColumnType.MAX_DECIMAL_DIGITS, UNSAID_SCALE);
        }
        RelDataType type = spec.getPrecision() < 0
                ? TYPES.createSqlType(name)
                : spec.getScale() < 0
                        ? TYPES.createSqlType(name, spec.getPrecision())
                        : TYPES.createSqlType(name, spec.getPrecision(), spec.getScale());
        return TypeMapping.columnType(type);
    }

    /** {@code value = ANY (array)} and {@code value <> ALL (array)}; a list of several is one of values. */
    private static SqlNode quantified(SqlCall call) {
        if (!(call.getOperator() instanceof SqlQuantifyOperator quantifier)
                || !(call.operand(1) instanceof SqlNodeList list)
                || list.size() != 1) {
            return call;
        }
        SqlNode array = list.get(0);
        boolean isValue = array instanceof SqlLiteral
                || array instanceof SqlDynamicParam
                || array.getKind().belongsTo(SqlKind.QUERY);
        boolean isIn = quantifier.comparisonKind == SqlKind.EQUALS && quantifier.getKind() == SqlKind.SOME;
        boolean isNotIn = quantifier.comparisonKind == SqlKind.NOT_EQUALS && quantifier.getKind() == SqlKind.ALL;
        if (isValue) {
            return call;
        }
        if (!isIn && !isNotIn) {
            throw refused(
                    call,
                    "of comparisons with the elements of an array there are = ANY (array) and <> ALL (array) alone");
        }
        SqlNode has = ArrayFunctions.HAS.createCall(call.getParserPosition(), array, call.operand(0));
        return isIn ? has : SqlStdOperatorTable.NOT.createCall(call.getParserPosition(), has);
    }

    /** Arrays of one element, one behind another, are the array of all of them. */
    static SqlNode aggregate(SqlCall call) {
        List<SqlNode> operands = call.getOperandList();
        boolean isOrdered = operands.size() > 1 && operands.getLast() instanceof SqlNodeList;
        if (operands.size() != (isOrdered ? 2 : 1)) {
            throw SqlErrors.at(
                    ErrorCode.UNDEFINED_OPERATION, at(call.getParserPosition()), "ARRAY_AGG takes 1 argument");
        }
        SqlNode value = operands.getFirst();
        List<SqlNode> listed = new ArrayList<>();
        listed.add(ArrayFunctions.CONSTRUCTOR.createCall(value.getParserPosition(), value));
        listed.add(SqlLiteral.createCharString("", call.getParserPosition()));
        if (isOrdered) {
            SqlNodeList keys = (SqlNodeList) operands.getLast();
            listed.add(AggregateForms.isDistinct(call) ? distinctKeys(call, value, keys) : keys);
        }
        return AggregateForms.listed(call, listed);
    }

    /** The values are told apart, and ordered, as arrays of them. */
    private static SqlNodeList distinctKeys(SqlCall call, SqlNode value, SqlNodeList keys) {
        SqlNode key = keys.get(0);
        boolean isDescending = key.getKind() == SqlKind.DESCENDING;
        SqlNode sorted = isDescending ? ((SqlCall) key).operand(0) : key;
        if (keys.size() != 1 || !sorted.equalsDeep(value, Litmus.IGNORE)) {
            throw SqlErrors.at(
                    ErrorCode.INVALID_COLUMN_REFERENCE,
                    at(call.getParserPosition()),
                    "ARRAY_AGG with DISTINCT is ordered by its argument only, with NULL as the greatest");
        }
        SqlNode array = ArrayFunctions.CONSTRUCTOR.createCall(sorted.getParserPosition(), sorted);
        return SqlNodeList.of(
                isDescending ? SqlStdOperatorTable.DESC.createCall(key.getParserPosition(), array) : array);
    }

    /** Gives operators of documents and texts that stand beside an array those of arrays, in place. */
    static void settle(SqlValidator validator, SqlValidatorScope scope, SqlBasicCall call) {
        ArrayFunction function = ofArrays(call);
        if (function != null
                && (isArray(validator, scope, call.operand(0)) || isArray(validator, scope, call.operand(1)))) {
            call.setOperator(function);
        }
    }

    /** The operator of arrays that is written so; null for one that arrays do not have. */
    static @Nullable ArrayFunction ofArrays(SqlCall call) {
        if (call.operandCount() != 2) {
            return null;
        }
        if (call.getOperator().equals(SqlStdOperatorTable.CONCAT)) {
            return ArrayFunctions.CONCAT;
        }
        if (!(call.getOperator() instanceof JsonFunction document)) {
            return null;
        }
        return switch (document.getName()) {
            case "#^=" -> ArrayFunctions.CONTAINS;
            case "#<^" -> ArrayFunctions.CONTAINED;
            default -> null;
        };
    }

    private static boolean isArray(SqlValidator validator, SqlValidatorScope scope, SqlNode operand) {
        return !(operand instanceof SqlDynamicParam) && ArrayType.is(validator.deriveType(scope, operand));
    }
}
