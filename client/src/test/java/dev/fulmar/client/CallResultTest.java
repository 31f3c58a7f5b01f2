package dev.fulmar.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.wire.call.ReplyKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallResultTest {
    private static final ResultLayout LAYOUT = new ResultLayout(List.of(
            new ResultColumn("ID", ColumnType.of(TypeKind.BIGINT), false),
            new ResultColumn("NAME", ColumnType.varchar(20), true)));

    @Test
    void aValueIsNoTable() {
        CallResult result = new CallResult(ReplyKind.VALUE, 8, new byte[0], 3, 0);
        assertThat(result.longValue()).isEqualTo(8);
        assertThat(result.hasValue()).isTrue();
        assertThat(result.serverMicros()).isEqualTo(3);
        assertThat(result.tables()).isEmpty();
        assertThatThrownBy(result::table).hasMessageContaining("yielded a value");
    }

    @Test
    void aTableIsReadRowByRow() {
        CallResult result = new CallResult(ReplyKind.TABLE, 0, blocks(3), 0, 0);
        assertThatThrownBy(result::longValue).hasMessageContaining("yielded one table");
        ResultTable table = result.table();
        assertThat(table.rowCount()).isEqualTo(3);
        assertThat(table.columnCount()).isEqualTo(2);
        int id = table.column("id");
        int name = table.column("NAME");
        assertThat(table.next()).isTrue();
        assertThat(table.getLong(id)).isZero();
        assertThat(table.isNull(name)).isTrue();
        assertThat(table.getString(name)).isNull();
        assertThat(table.next()).isTrue();
        assertThat(table.getInt(id)).isEqualTo(1);
        assertThat(table.getBoolean(id)).isTrue();
        assertThat(table.getString(name)).isEqualTo("row 1");
        assertThat(table.getByteCount(name)).isEqualTo(5);
        assertThat(table.getObject(id)).isEqualTo(1L);
        assertThat(table.at(2).getString(name)).isEqualTo("row 2");
        assertThat(table.first().getLong(id)).isZero();
        assertThatThrownBy(() -> table.column("AGE")).hasMessageContaining("[ID, NAME]");
    }

    @Test
    void severalTablesStandOneBehindTheOther() {
        CallResult result = new CallResult(ReplyKind.TABLES, 0, blocks(2, 0, 5), 0, 0);
        assertThat(result.tables()).extracting(ResultTable::rowCount).containsExactly(2, 0, 5);
        assertThatThrownBy(result::table).hasMessageContaining("3 tables");
        assertThat(new CallResult(ReplyKind.TABLES, 0, blocks(4), 0, 0).table().rowCount())
                .isEqualTo(4);
    }

    private static byte[] blocks(int... rowCounts) {
        ResultBlockWriter writer = new ResultBlockWriter(100, 10_000);
        for (int rowCount : rowCounts) {
            writer.begin(LAYOUT);
            for (int row = 0; row < rowCount; row++) {
                writer.startRow();
                writer.setLong(0, row);
                if (row == 0) {
                    writer.setNull(1);
                } else {
                    byte[] name = ("row " + row).getBytes(StandardCharsets.UTF_8);
                    writer.setBytes(1, name, 0, name.length);
                }
                writer.endRow();
            }
            writer.end();
        }
        return writer.toByteArray();
    }
}
