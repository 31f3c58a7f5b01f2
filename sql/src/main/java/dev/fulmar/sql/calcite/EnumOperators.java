package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.foundation.data.Enumeration;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/** Operators of types with labels: casts to them are calls, and they compare with themselves alone. */
final class EnumOperators {
    /** Functions of a type, which is that of their argument. */
    static final List<SqlOperator> FUNCTIONS = List.of(ofType("ENUM_FIRST"), ofType("ENUM_LAST"), ofType("ENUM_RANGE"));

    private EnumOperators() {}

    private static SqlOperator ofType(String name) {
        return new SqlFunction(
                name,
                SqlKind.OTHER_FUNCTION,
                ReturnTypes.ARG0,
                null,
                OperandTypes.ANY,
                SqlFunctionCategory.USER_DEFINED_FUNCTION);
    }

    /** The call in its form; itself if it is no CAST to a type with labels. */
    static SqlNode settled(SqlCall call, Catalog catalog) {
        if (call.getKind() == SqlKind.CAST
                && call.operandCount() == 2
                && call.operand(1) instanceof SqlDataTypeSpec spec) {
            Enumeration enumeration = EnumCast.named(spec, catalog);
            if (enumeration != null) {
                return new EnumCast(enumeration).createCall(call.getParserPosition(), List.of(call.operand(0)));
            }
        }
        return call;
    }

    /** Refuses what Calcite would do with labels as with texts. */
    static void check(SqlValidator validator, SqlValidatorScope scope, SqlBasicCall call) {
        boolean isArithmetic = switch (call.getKind()) {
            case PLUS, MINUS, TIMES, DIVIDE, MOD, MINUS_PREFIX -> true;
            default -> false;
        };
        if ((!isComparison(call) && !isArithmetic) || call.operand(call.operandCount() - 1) instanceof SqlNodeList) {
            return;
        }
        List<RelDataType> types = new ArrayList<>();
        for (SqlNode operand : call.getOperandList()) {
            if (!(operand instanceof SqlDynamicParam)) {
                types.add(validator.deriveType(scope, operand));
            }
        }
        if (!isArithmetic && types.size() == 2 && types.stream().allMatch(RelDataType::isStruct)) {
            checkRows(call, types.get(0), types.get(1));
        }
        if (types.stream().noneMatch(EnumType::isAny)) {
            return;
        }
        Enumeration enumeration = EnumType.first(types).enumeration();
        if (isArithmetic || !types.stream().allMatch(type -> isComparable(type, enumeration))) {
            throw unlike(call, enumeration);
        }
    }

    /** Calcite would compare the values of rows as texts. */
    private static void checkRows(SqlCall call, RelDataType left, RelDataType right) {
        int width = Math.min(left.getFieldCount(), right.getFieldCount());
        for (int i = 0; i < width; i++) {
            List<RelDataType> types = List.of(
                    left.getFieldList().get(i).getType(),
                    right.getFieldList().get(i).getType());
            if (types.stream().anyMatch(EnumType::isAny)) {
                Enumeration enumeration = EnumType.first(types).enumeration();
                if (!types.stream().allMatch(type -> isComparable(type, enumeration))) {
                    throw unlike(call, enumeration);
                }
            }
        }
    }

    private static boolean isComparison(SqlCall call) {
        return call.getKind() == SqlKind.IS_DISTINCT_FROM
                || call.getKind() == SqlKind.IS_NOT_DISTINCT_FROM
                || call.getKind() == SqlKind.BETWEEN
                || (SqlKind.COMPARISON.contains(call.getKind()) && call.operandCount() == 2);
    }

    private static FulmarException unlike(SqlCall call, Enumeration enumeration) {
        return SqlErrors.at(
                ErrorCode.UNDEFINED_OPERATION,
                new Position(
                        call.getParserPosition().getLineNum(),
                        call.getParserPosition().getColumnNum()),
                "operator does not exist: " + enumeration + " "
                        + call.getOperator().getName()
                        + " another type; values of " + enumeration
                        + " compare with each other and with their labels alone, so CAST one side");
    }

    private static boolean isComparable(RelDataType type, Enumeration enumeration) {
        return type.isStruct()
                || EnumType.is(type, enumeration)
                || JsonType.isLiteral(type)
                || type.getSqlTypeName() == SqlTypeName.NULL
                || type.getSqlTypeName() == SqlTypeName.UNKNOWN;
    }
}
