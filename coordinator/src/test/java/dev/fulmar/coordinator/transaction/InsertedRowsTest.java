package dev.fulmar.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.data.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rows of partitions come in the order in which an INSERT has them, if each has yielded one. */
class InsertedRowsTest {
    private static final ResultLayout LAYOUT =
            new ResultLayout(List.of(new ResultColumn("N", ColumnType.of(TypeKind.BIGINT), false)));

    private static byte[] block(long... rows) {
        ResultBlockWriter writer = new ResultBlockWriter(100, 10_000);
        writer.begin(LAYOUT);
        for (long row : rows) {
            writer.startRow();
            writer.setLong(0, row);
            writer.endRow();
        }
        writer.end();
        return writer.toByteArray();
    }

    private static List<Long> rows(byte[] block) {
        ResultBlock rows = new ResultBlock().wrap(block, 0, block.length);
        List<Long> all = new ArrayList<>();
        while (rows.next()) {
            all.add(rows.getLong(0));
        }
        return all;
    }

    @Test
    void rowsComeInTheOrderOfTheStatement() {
        byte[] ordered = InsertedRows.inOrder(
                new int[] {2, 0, 2, 1, 0}, Map.of(0, block(11, 14), 1, block(13), 2, block(10, 12)), LAYOUT);
        assertThat(ordered).isNotNull();
        assertThat(rows(ordered)).containsExactly(10L, 11L, 12L, 13L, 14L);
    }

    @Test
    void theOrderIsNotKnownWhereARowYieldsNothing() {
        assertThat(InsertedRows.inOrder(new int[] {0, 1, 0}, Map.of(0, block(1), 1, block(2)), LAYOUT))
                .isNull();
        assertThat(InsertedRows.inOrder(new int[] {0, 1}, Map.of(0, block(1)), LAYOUT))
                .isNull();
    }
}
