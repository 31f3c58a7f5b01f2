package dev.fulmar.node.admin;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.data.TypeKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds the result table of a system procedure. */
final class SystemTable {
    private static final int FIRST_BYTES = 4096;
    private static final int MAX_BYTES = 64 << 20;
    private static final int TEXT_LENGTH = 65_535;

    private final List<ResultColumn> columns;
    private final ResultBlockWriter writer = new ResultBlockWriter(FIRST_BYTES, MAX_BYTES);

    SystemTable(List<ResultColumn> columns) {
        this.columns = columns;
        writer.begin(new ResultLayout(columns));
    }

    static ResultColumn text(String name) {
        return new ResultColumn(name, ColumnType.varchar(TEXT_LENGTH), true);
    }

    static ResultColumn number(String name) {
        return new ResultColumn(name, ColumnType.of(TypeKind.BIGINT), true);
    }

    static ResultColumn real(String name) {
        return new ResultColumn(name, ColumnType.of(TypeKind.DOUBLE), true);
    }

    static ResultColumn truth(String name) {
        return new ResultColumn(name, ColumnType.of(TypeKind.BOOLEAN), true);
    }

    /** Adds a row; each value fits its column: a number, a boolean, bytes, or anything for a text. */
    SystemTable row(@Nullable Object... values) {
        writer.startRow();
        for (int column = 0; column < columns.size(); column++) {
            Object value = values[column];
            if (value == null) {
                writer.setNull(column);
                continue;
            }
            switch (columns.get(column).type().storage()) {
                case LONG ->
                    writer.setLong(
                            column, value instanceof Boolean truth ? (truth ? 1 : 0) : ((Number) value).longValue());
                case DOUBLE -> writer.setDouble(column, ((Number) value).doubleValue());
                case BYTES -> {
                    byte[] bytes = value instanceof byte[] given
                            ? given
                            : value.toString().getBytes(StandardCharsets.UTF_8);
                    writer.setBytes(column, bytes, 0, bytes.length);
                }
                case WIDE -> throw new IllegalArgumentException("system tables have no wide columns");
            }
        }
        writer.endRow();
        return this;
    }

    byte[] toBlock() {
        writer.end();
        return writer.toByteArray();
    }
}
