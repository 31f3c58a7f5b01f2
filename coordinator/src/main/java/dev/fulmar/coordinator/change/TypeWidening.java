package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** The types that a column may change to: those that hold every value of the old one as it is. */
final class TypeWidening {
    private TypeWidening() {}

    static void check(Table table, int place, ColumnType to) {
        Column column = table.columns().get(place);
        ColumnType from = column.type();
        if (from.equals(to)) {
            return;
        }
        if (!holds(from, to)) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "column " + column.name() + " of " + table.name() + " cannot change from " + from + " to " + to
                            + ", which does not hold all its values; add a column, UPDATE, and drop this one");
        }
        boolean staysThere = (from.kind() == to.kind() && from.storage() == to.storage() && from.scale() == to.scale())
                || (isInteger(from) && isInteger(to));
        if (table.partitioningColumn().orElse(-1) == place && !staysThere) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "column " + column.name() + " says where the rows of " + table.name() + " belong, and as " + to
                            + " would say otherwise; load them into a new table");
        }
    }

    private static boolean isInteger(ColumnType type) {
        return integerDigits(type.kind()) > 0;
    }

    /** Decimal digits that every value of the integer type fits in; 0 for other types. */
    private static int integerDigits(TypeKind kind) {
        return switch (kind) {
            case TINYINT -> 3;
            case SMALLINT -> 5;
            case INTEGER -> 10;
            case BIGINT -> 19;
            case BOOLEAN,
                    DECIMAL,
                    REAL,
                    DOUBLE,
                    CHAR,
                    VARCHAR,
                    VARBINARY,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    UUID,
                    JSON,
                    JSONB,
                    INTERVAL,
                    ARRAY,
                    ENUM,
                    NUMERIC -> 0;
        };
    }

    private static boolean holds(ColumnType from, ColumnType to) {
        int digits = integerDigits(from.kind());
        return switch (to.kind()) {
            case SMALLINT, INTEGER, BIGINT -> digits > 0 && digits <= integerDigits(to.kind());
            case DECIMAL ->
                digits > 0
                        ? to.precision() - to.scale() >= digits
                        : from.kind() == TypeKind.DECIMAL
                                && to.scale() >= from.scale()
                                && to.precision() - to.scale() >= from.precision() - from.scale();
            case DOUBLE -> from.kind() == TypeKind.REAL || (digits > 0 && digits <= integerDigits(TypeKind.INTEGER));
            case CHAR -> from.kind() == TypeKind.CHAR && to.precision() >= from.precision();
            case VARCHAR ->
                (from.kind() == TypeKind.CHAR || from.kind() == TypeKind.VARCHAR) && to.precision() >= from.precision();
            case VARBINARY -> from.kind() == TypeKind.VARBINARY && to.precision() >= from.precision();
            case TIMESTAMP -> from.kind() == TypeKind.DATE || isOfMoreDigits(from, to);
            case TIME -> isOfMoreDigits(from, to);
            case INTERVAL -> from.kind() == TypeKind.INTERVAL && to.precision() == 0;
            case TIMESTAMP_TZ -> isOfMoreDigits(from, to); // which instant a timestamp is depends on a zone
            case BOOLEAN, TINYINT, REAL, DATE, UUID, JSON, JSONB, ENUM -> false;
            case ARRAY -> isWiderArray(from, to);
            case NUMERIC ->
                to.precision() == 0
                        && (digits > 0 || from.kind() == TypeKind.DECIMAL || from.kind() == TypeKind.NUMERIC);
        };
    }

    /** Whether both are times of a kind, and the second has at least as many digits of its seconds. */
    private static boolean isOfMoreDigits(ColumnType from, ColumnType to) {
        return from.kind() == to.kind() && to.secondDigits() >= from.secondDigits();
    }

    /** Elements of other types are kept in another form. */
    private static boolean isWiderArray(ColumnType from, ColumnType to) {
        return from.isArray()
                && from.element().kind() == TypeKind.VARCHAR
                && to.element().kind() == TypeKind.VARCHAR
                && to.element().precision() >= from.element().precision();
    }
}
