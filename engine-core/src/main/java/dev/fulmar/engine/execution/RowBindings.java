package dev.fulmar.engine.execution;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ResultBlock;
import java.math.BigDecimal;

/** Takes columns of a row, which follow each other, for the parameters of a statement, which are of the same types. */
public final class RowBindings {
    private RowBindings() {}

    /** Binds all parameters, from the block's current row. */
    public static void bind(ResultBlock row, int firstColumn, Bindings bindings) {
        for (int parameter = 0; parameter < bindings.count(); parameter++) {
            bindOne(row, firstColumn + parameter, bindings, parameter);
        }
    }

    /** Binds one parameter to a value of the block's current row. */
    public static void bindOne(ResultBlock row, int column, Bindings bindings, int parameter) {
        if (row.isNull(column)) {
            bindings.setNull(parameter);
        } else {
            bindValue(row, column, bindings, parameter);
        }
    }

    private static void bindValue(ResultBlock row, int column, Bindings bindings, int parameter) {
        switch (row.kind(column)) {
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, TIME -> bindings.setLong(parameter, row.getLong(column));
            case DATE, TIMESTAMP, TIMESTAMP_TZ -> bindings.setCell(parameter, row.getLong(column));
            case DECIMAL -> {
                BigDecimal value = row.decimal(column);
                if (value == null) {
                    throw Invariants.breach("a value that is not null is there");
                }
                bindings.setDecimal(parameter, value);
            }
            case REAL, DOUBLE -> bindings.setDouble(parameter, row.getDouble(column));
            case CHAR, VARCHAR, VARBINARY, JSON, JSONB, ARRAY ->
                bindings.setBytes(parameter, row.array(), row.bytesOffset(column), row.bytesLength(column));
            case NUMERIC -> bindings.setNumeric(parameter, row.numeric(column));
            case ENUM -> bindings.setCode(parameter, row.getUnscaled(column));
            case UUID -> bindings.setUuid(parameter, row.getHigh(column), row.getLow(column));
            case INTERVAL -> bindings.setWide(parameter, row.getHigh(column), row.getLow(column));
        }
    }
}
