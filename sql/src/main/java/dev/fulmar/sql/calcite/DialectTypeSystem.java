package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.data.ColumnType;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/**
 * Limits of the types, and the types of aggregates. SUM of integers is BIGINT, of DECIMAL(p, s) DECIMAL(38, s); AVG is
 * DOUBLE, of DECIMAL(p, s) DECIMAL(38, max(s, 6)).
 */
final class DialectTypeSystem extends RelDataTypeSystemImpl {
    private static final int MICROSECOND_DIGITS = 6;
    private static final int AVERAGE_SCALE = 6;

    @Override
    public int getMaxPrecision(SqlTypeName typeName) {
        return switch (typeName) {
            case DECIMAL -> ColumnType.MAX_DECIMAL_DIGITS;
            case CHAR, VARCHAR, BINARY, VARBINARY -> TypeMapping.MAX_LENGTH;
            case TIME, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> MICROSECOND_DIGITS;
            default -> super.getMaxPrecision(typeName);
        };
    }

    @Override
    public int getMaxScale(SqlTypeName typeName) {
        return typeName == SqlTypeName.DECIMAL ? ColumnType.MAX_DECIMAL_DIGITS : super.getMaxScale(typeName);
    }

    @Override
    public int getDefaultPrecision(SqlTypeName typeName) {
        return switch (typeName) {
            case DECIMAL -> ColumnType.MAX_DECIMAL_DIGITS;
            case TIME, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> MICROSECOND_DIGITS;
            default -> super.getDefaultPrecision(typeName);
        };
    }

    @Override
    public @Nullable RelDataType deriveDecimalPlusType(RelDataTypeFactory factory, RelDataType one, RelDataType other) {
        return hasNumeric(one, other) ? numeric(factory, one, other) : super.deriveDecimalPlusType(factory, one, other);
    }

    @Override
    public @Nullable RelDataType deriveDecimalMultiplyType(
            RelDataTypeFactory factory, RelDataType one, RelDataType other) {
        return hasNumeric(one, other)
                ? numeric(factory, one, other)
                : super.deriveDecimalMultiplyType(factory, one, other);
    }

    @Override
    public @Nullable RelDataType deriveDecimalDivideType(
            RelDataTypeFactory factory, RelDataType one, RelDataType other) {
        return hasNumeric(one, other)
                ? numeric(factory, one, other)
                : super.deriveDecimalDivideType(factory, one, other);
    }

    @Override
    public @Nullable RelDataType deriveDecimalModType(RelDataTypeFactory factory, RelDataType one, RelDataType other) {
        return hasNumeric(one, other) ? numeric(factory, one, other) : super.deriveDecimalModType(factory, one, other);
    }

    private static boolean hasNumeric(RelDataType one, RelDataType other) {
        return NumericType.is(one) || NumericType.is(other);
    }

    /** The type of results; null where one of the operands is no exact number. */
    private static @Nullable RelDataType numeric(RelDataTypeFactory factory, RelDataType one, RelDataType other) {
        return SqlTypeUtil.isExactNumeric(one) && SqlTypeUtil.isExactNumeric(other)
                ? NumericType.any(factory, one.isNullable() || other.isNullable())
                : null;
    }

    @Override
    public RelDataType deriveSumType(RelDataTypeFactory typeFactory, RelDataType argumentType) {
        SqlTypeName name = argumentType.getSqlTypeName();
        RelDataType sum;
        if (NumericType.is(argumentType)) {
            sum = NumericType.any(typeFactory, true);
        } else if (SqlTypeName.INT_TYPES.contains(name)) {
            sum = typeFactory.createSqlType(SqlTypeName.BIGINT);
        } else if (name == SqlTypeName.DECIMAL) {
            sum = typeFactory.createSqlType(
                    SqlTypeName.DECIMAL, ColumnType.MAX_DECIMAL_DIGITS, argumentType.getScale());
        } else if (SqlTypeUtil.isApproximateNumeric(argumentType)) {
            sum = typeFactory.createSqlType(SqlTypeName.DOUBLE);
        } else {
            return argumentType;
        }
        return typeFactory.createTypeWithNullability(sum, argumentType.isNullable());
    }

    @Override
    public RelDataType deriveAvgAggType(RelDataTypeFactory typeFactory, RelDataType argumentType) {
        if (NumericType.is(argumentType)) {
            return NumericType.any(typeFactory, argumentType.isNullable());
        }
        RelDataType average = argumentType.getSqlTypeName() == SqlTypeName.DECIMAL
                ? typeFactory.createSqlType(
                        SqlTypeName.DECIMAL,
                        ColumnType.MAX_DECIMAL_DIGITS,
                        Math.max(AVERAGE_SCALE, argumentType.getScale()))
                : typeFactory.createSqlType(SqlTypeName.DOUBLE);
        return typeFactory.createTypeWithNullability(average, argumentType.isNullable());
    }

    /** A CASE of 'a' and 'long' yields VARCHAR, and never pads. */
    @Override
    public boolean shouldConvertRaggedUnionTypesToVarying() {
        return true;
    }
}
