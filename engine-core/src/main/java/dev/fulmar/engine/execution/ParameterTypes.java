package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.value.ValueRange;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.util.List;

/** The declared types of a statement's parameters, prepared for the conversions of {@link Bindings}. Immutable. */
public final class ParameterTypes {
    /** The conversion of a long to the parameter's value. */
    enum FromLong {
        /** It is the value if it lies within the bounds. */
        BOUNDED,
        DECIMAL,
        WIDE_DECIMAL,
        DOUBLE,
        REAL,
        NUMERIC,
        IMPOSSIBLE
    }

    private final List<ColumnType> types;
    private final ColumnType[] byPosition;
    private final FromLong[] fromLong;
    private final long[] minimum;
    private final long[] maximum;
    private final List<String> columns;
    private final boolean numbered;

    public ParameterTypes(List<ColumnType> types) {
        this(types, List.of(), true);
    }

    /**
     * Prepares the types.
     *
     * @param columns what messages call the column that stores each parameter, empty for none; or an empty list
     * @param numbered whether the client knows the parameters by their numbers
     */
    ParameterTypes(List<ColumnType> types, List<String> columns, boolean numbered) {
        this.columns = List.copyOf(columns);
        this.numbered = numbered;
        this.types = List.copyOf(types);
        byPosition = this.types.toArray(ColumnType[]::new);
        int count = byPosition.length;
        fromLong = new FromLong[count];
        minimum = new long[count];
        maximum = new long[count];
        for (int i = 0; i < count; i++) {
            ColumnType type = byPosition[i];
            fromLong[i] = fromLong(type);
            minimum[i] = ValueRange.minimum(type.kind());
            maximum[i] = ValueRange.maximum(type.kind());
        }
    }

    private static FromLong fromLong(ColumnType type) {
        return switch (type.kind()) {
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, DATE, TIME, TIMESTAMP, TIMESTAMP_TZ -> FromLong.BOUNDED;
            case DECIMAL -> type.storage() == TypeKind.Storage.WIDE ? FromLong.WIDE_DECIMAL : FromLong.DECIMAL;
            case DOUBLE -> FromLong.DOUBLE;
            case REAL -> FromLong.REAL;
            case CHAR, VARCHAR, VARBINARY, UUID, JSON, JSONB, INTERVAL, ARRAY, ENUM -> FromLong.IMPOSSIBLE;
            case NUMERIC -> FromLong.NUMERIC;
        };
    }

    public List<ColumnType> types() {
        return types;
    }

    public int count() {
        return byPosition.length;
    }

    public ColumnType type(int parameter) {
        return byPosition[parameter];
    }

    /** The parameter as messages name it: its number, from 1, and the column that stores it. */
    String place(int parameter) {
        String column = columns.isEmpty() ? "" : columns.get(parameter);
        String number = "parameter " + (parameter + 1);
        if (column.isEmpty()) {
            return number;
        }
        return numbered ? number + " for " + column : column;
    }

    FromLong fromLong(int parameter) {
        return fromLong[parameter];
    }

    long minimum(int parameter) {
        return minimum[parameter];
    }

    long maximum(int parameter) {
        return maximum[parameter];
    }

    /** The values that a parameter of the kind takes. */
    static String taken(TypeKind kind) {
        return switch (kind) {
            case BOOLEAN -> "a boolean";
            case TINYINT, SMALLINT, INTEGER, BIGINT -> "an integer";
            case DECIMAL -> "a decimal or an integer";
            case REAL, DOUBLE -> "a number";
            case CHAR, VARCHAR -> "text";
            case JSON, JSONB -> "JSON as text";
            case INTERVAL -> "an interval as text, as 1 day 02:00:00";
            case ARRAY -> "an array as text, {1,2,NULL}";
            case ENUM -> "a label as text";
            case NUMERIC -> "a number, or its text";
            case VARBINARY -> "bytes";
            case DATE -> "a date, or text as YYYY-MM-DD";
            case TIME -> "a time, or text as HH:MM:SS";
            case TIMESTAMP -> "a timestamp, or text as YYYY-MM-DD HH:MM:SS";
            case TIMESTAMP_TZ -> "a timestamp in UTC, or text as YYYY-MM-DD HH:MM:SS+00";
            case UUID -> "a UUID, or its text";
        };
    }
}
