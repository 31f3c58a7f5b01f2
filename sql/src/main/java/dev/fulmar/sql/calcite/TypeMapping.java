package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlTypeName;

/** Maps Calcite's types to Fulmar's and back. */
public final class TypeMapping {
    /** Longest VARCHAR in characters and VARBINARY in bytes; what VARCHAR without a length means. */
    public static final int MAX_LENGTH = 1 << 20;

    private TypeMapping() {}

    /** Our type; text literals, which Calcite calls CHAR, are VARCHAR. */
    public static ColumnType columnType(RelDataType type) {
        return switch (type.getSqlTypeName()) {
            case BOOLEAN -> ColumnType.of(TypeKind.BOOLEAN);
            case TINYINT -> ColumnType.of(TypeKind.TINYINT);
            case SMALLINT -> ColumnType.of(TypeKind.SMALLINT);
            case INTEGER -> ColumnType.of(TypeKind.INTEGER);
            case BIGINT -> ColumnType.of(TypeKind.BIGINT);
            case DECIMAL -> NumericType.is(type) ? NumericType.columnType(type) : decimal(type);
            case REAL -> ColumnType.of(TypeKind.REAL);
            case FLOAT, DOUBLE -> ColumnType.of(TypeKind.DOUBLE);
            case CHAR -> new ColumnType(type instanceof CharType ? TypeKind.CHAR : TypeKind.VARCHAR, length(type), 0);
            case VARCHAR ->
                switch (type) {
                    case JsonType json -> ColumnType.of(json.kind());
                    case IntervalType interval -> interval.columnType();
                    case ArrayType array -> array.array();
                    case EnumType labels -> ColumnType.of(labels.enumeration());
                    default -> new ColumnType(TypeKind.VARCHAR, length(type), 0);
                };
            case BINARY, VARBINARY -> new ColumnType(TypeKind.VARBINARY, length(type), 0);
            case DATE -> ColumnType.of(TypeKind.DATE);
            case TIME -> ColumnType.of(TypeKind.TIME);
            case TIMESTAMP -> ColumnType.of(TypeKind.TIMESTAMP);
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE, TIMESTAMP_TZ -> ColumnType.of(TypeKind.TIMESTAMP_TZ);
            case UUID -> ColumnType.of(TypeKind.UUID);
            case NULL -> ColumnType.of(TypeKind.BOOLEAN);
            case UNKNOWN ->
                throw new FulmarException(
                        ErrorCode.TYPE_MISMATCH,
                        "the type of a parameter cannot be told from its place; write CAST(? AS type)");
            default ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "values of type " + type.getSqlTypeName().getName().replace('_', ' ') + " are not supported");
        };
    }

    private static ColumnType decimal(RelDataType type) {
        int scale = Math.max(0, Math.min(type.getScale(), ColumnType.MAX_DECIMAL_DIGITS));
        int precision = Math.max(1, Math.min(type.getPrecision(), ColumnType.MAX_DECIMAL_DIGITS));
        return ColumnType.decimal(Math.max(precision, scale), scale);
    }

    private static int length(RelDataType type) {
        int precision = type.getPrecision();
        return precision < 0 || precision > MAX_LENGTH ? MAX_LENGTH : Math.max(1, precision);
    }

    /** Calcite's type. */
    public static RelDataType relDataType(RelDataTypeFactory typeFactory, ColumnType type, boolean nullable) {
        RelDataType bare = switch (type.kind()) {
            case BOOLEAN -> typeFactory.createSqlType(SqlTypeName.BOOLEAN);
            case TINYINT -> typeFactory.createSqlType(SqlTypeName.TINYINT);
            case SMALLINT -> typeFactory.createSqlType(SqlTypeName.SMALLINT);
            case INTEGER -> typeFactory.createSqlType(SqlTypeName.INTEGER);
            case BIGINT -> typeFactory.createSqlType(SqlTypeName.BIGINT);
            case DECIMAL -> typeFactory.createSqlType(SqlTypeName.DECIMAL, type.precision(), type.scale());
            case REAL -> typeFactory.createSqlType(SqlTypeName.REAL);
            case DOUBLE -> typeFactory.createSqlType(SqlTypeName.DOUBLE);
            case CHAR -> CharType.of(typeFactory, type.precision(), nullable);
            case VARCHAR -> typeFactory.createSqlType(SqlTypeName.VARCHAR, type.precision());
            case VARBINARY -> typeFactory.createSqlType(SqlTypeName.VARBINARY, type.precision());
            case DATE -> typeFactory.createSqlType(SqlTypeName.DATE);
            case TIME -> typeFactory.createSqlType(SqlTypeName.TIME, 6);
            case TIMESTAMP -> typeFactory.createSqlType(SqlTypeName.TIMESTAMP, 6);
            case TIMESTAMP_TZ -> typeFactory.createSqlType(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, 6);
            case UUID -> typeFactory.createSqlType(SqlTypeName.UUID);
            case JSON, JSONB -> JsonType.of(typeFactory, type.kind(), nullable);
            case INTERVAL -> IntervalType.of(typeFactory, type, nullable);
            case ARRAY -> ArrayType.of(typeFactory, type, nullable);
            case ENUM -> EnumType.of(typeFactory, type.labels(), nullable);
            case NUMERIC -> NumericType.of(typeFactory, type, nullable);
        };
        return typeFactory.createTypeWithNullability(bare, nullable);
    }
}
