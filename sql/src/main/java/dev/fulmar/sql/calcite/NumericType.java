package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Numeric;
import dev.fulmar.foundation.data.TypeKind;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystem;
import org.apache.calcite.sql.type.BasicSqlType;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Tells Calcite the type NUMERIC, as a DECIMAL of more digits than any other. So all operators of numbers take one, and
 * a CAST that Calcite writes by digits names the same type. A type that says its digits has them beyond a mark.
 *
 * <p>Invariant: no DECIMAL that a statement writes has so many digits.
 */
final class NumericType {
    /** The digits of a NUMERIC that does not say them. */
    private static final int ALL_DIGITS = Numeric.MOST_WHOLE_DIGITS + Numeric.MOST_SCALE;

    /** The number that is added to digits that are said. */
    private static final int MARK = 1_000_000;

    private NumericType() {}

    /** Whether a DECIMAL of so many digits is one. */
    static boolean isOne(SqlTypeName name, int precision) {
        return name == SqlTypeName.DECIMAL && precision >= ALL_DIGITS;
    }

    static boolean is(RelDataType type) {
        return isOne(type.getSqlTypeName(), type.getPrecision());
    }

    /** The type of the digits, which are those that Calcite names. */
    static RelDataType made(RelDataTypeSystem system, int precision, int scale) {
        return precision > MARK
                ? new BasicSqlType(system, SqlTypeName.DECIMAL, precision, scale)
                : new BasicSqlType(system, SqlTypeName.DECIMAL, ALL_DIGITS, Numeric.MOST_SCALE);
    }

    /** The type of all numerics. */
    static RelDataType any(RelDataTypeFactory factory, boolean nullable) {
        return of(factory, ColumnType.of(TypeKind.NUMERIC), nullable);
    }

    static RelDataType of(RelDataTypeFactory factory, ColumnType type, boolean nullable) {
        RelDataType bare = type.precision() == 0
                ? factory.createSqlType(SqlTypeName.DECIMAL, ALL_DIGITS, Numeric.MOST_SCALE)
                : factory.createSqlType(SqlTypeName.DECIMAL, MARK + type.numericDigits(), type.numericScale());
        return factory.createTypeWithNullability(bare, nullable);
    }

    /** Our type. */
    static ColumnType columnType(RelDataType type) {
        return type.getPrecision() > MARK
                ? ColumnType.numeric(type.getPrecision() - MARK, type.getScale())
                : ColumnType.of(TypeKind.NUMERIC);
    }

    /** Whether all types, one of which is a NUMERIC, are exact numbers, or literal texts that become one. */
    static boolean areExactOrOpen(List<RelDataType> types) {
        return types.stream().allMatch(type -> SqlTypeUtil.isExactNumeric(type) || JsonType.isLiteral(type));
    }

    /** Whether all types, one of which is a NUMERIC, are exact numbers. */
    static boolean areExact(List<RelDataType> types) {
        return types.stream().allMatch(SqlTypeUtil::isExactNumeric);
    }
}
