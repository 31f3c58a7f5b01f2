package dev.fulmar.engine.procedure.invocation;

import dev.fulmar.engine.procedure.ResultShape;
import dev.fulmar.foundation.data.CellValues;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.TableBuilder;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A result table of a procedure's own. */
final class BuiltTable implements TableBuilder {
    private static final int TEXT_CHARACTERS = 1 << 20;

    private final String[] names;
    private final ResultBlockWriter writer;
    private final ViewPool pool;
    private final List<@Nullable Object[]> rows = new ArrayList<>(1);
    private boolean built;

    BuiltTable(String[] names, ResultBlockWriter writer, ViewPool pool) {
        this.names = names.clone();
        this.writer = writer;
        this.pool = pool;
    }

    @Override
    public TableBuilder row(@Nullable Object... values) {
        checkUnbuilt();
        if (values.length != names.length) {
            throw new FulmarException(
                    ErrorCode.PROCEDURE_FAILED,
                    "a row of " + values.length + " values was given to a table of " + names.length
                            + " columns; pass one per column");
        }
        rows.add(values.clone());
        return this;
    }

    @Override
    public Rows build() {
        checkUnbuilt();
        built = true;
        List<ResultColumn> columns = new ArrayList<>(names.length);
        for (int i = 0; i < names.length; i++) {
            columns.add(new ResultColumn(names[i], type(i), true));
        }
        ResultShape shape = new ResultShape(new ResultLayout(columns));
        int start = writer.begin(shape.layout());
        try {
            for (@Nullable Object[] row : rows) {
                writer.startRow();
                for (int i = 0; i < names.length; i++) {
                    CellValues.set(writer, i, columns.get(i).type(), plain(row[i]));
                }
                writer.endRow();
            }
        } catch (FulmarException e) {
            writer.truncate(start);
            throw e;
        }
        writer.end();
        return pool.rows().open(shape, start);
    }

    private void checkUnbuilt() {
        if (built) {
            throw new FulmarException(
                    ErrorCode.PROCEDURE_FAILED, "a table was used after build(); start another with table()");
        }
    }

    private ColumnType type(int column) {
        for (@Nullable Object[] row : rows) {
            Object value = row[column];
            if (value != null) {
                return value instanceof BigDecimal || value instanceof BigInteger ? decimal(column) : type(value);
            }
        }
        return ColumnType.varchar(TEXT_CHARACTERS);
    }

    private static ColumnType type(Object value) {
        return switch (value) {
            case Long number -> ColumnType.of(TypeKind.BIGINT);
            case Integer number -> ColumnType.of(TypeKind.INTEGER);
            case Short number -> ColumnType.of(TypeKind.SMALLINT);
            case Byte number -> ColumnType.of(TypeKind.TINYINT);
            case Double number -> ColumnType.of(TypeKind.DOUBLE);
            case Float number -> ColumnType.of(TypeKind.REAL);
            case Boolean truth -> ColumnType.of(TypeKind.BOOLEAN);
            case String text -> ColumnType.varchar(TEXT_CHARACTERS);
            case byte[] bytes -> new ColumnType(TypeKind.VARBINARY, TEXT_CHARACTERS, 0);
            case LocalDate date -> ColumnType.of(TypeKind.DATE);
            case LocalTime time -> ColumnType.of(TypeKind.TIME);
            case LocalDateTime timestamp -> ColumnType.of(TypeKind.TIMESTAMP);
            case Instant instant -> ColumnType.of(TypeKind.TIMESTAMP);
            case UUID uuid -> ColumnType.of(TypeKind.UUID);
            case Object other ->
                throw new FulmarException(
                        ErrorCode.TYPE_MISMATCH,
                        "a " + other.getClass().getSimpleName()
                                + " cannot stand in a result; use a number, boolean, String, byte[], java.time date or time, or UUID");
        };
    }

    /** As many fraction digits as any value of the column has. */
    private ColumnType decimal(int column) {
        int scale = 0;
        for (@Nullable Object[] row : rows) {
            if (row[column] instanceof BigDecimal value) {
                scale = Math.max(scale, value.scale());
            }
        }
        return ColumnType.decimal(ColumnType.MAX_DECIMAL_DIGITS, Math.min(scale, ColumnType.MAX_DECIMAL_DIGITS));
    }

    private static @Nullable Object plain(@Nullable Object value) {
        return value instanceof Instant instant ? InfiniteTime.inUtc(instant) : value;
    }
}
