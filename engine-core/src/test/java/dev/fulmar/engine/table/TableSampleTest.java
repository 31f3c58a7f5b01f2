package dev.fulmar.engine.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partitioning.BucketMap;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.spi.Statistics.TableFigures;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TableSampleTest {
    private static final int ROWS = 50_000;

    private final PartitionStorage storage =
            new PartitionStorage(new ChunkSource(new MemoryBudget(64L << 20, "limit")), BucketMap.single(), 64L << 20);
    private final UndoLog undo = storage.undoLog();
    private final Table table = new TableFixture(1, "T")
            .column("ID", TypeKind.INTEGER)
            .column("FEW", TypeKind.BIGINT)
            .column("MANY", TypeKind.BIGINT)
            .nullable("NAME", ColumnType.varchar(20))
            .nullable("NOTHING", ColumnType.of(TypeKind.DOUBLE))
            .primaryKey(0)
            .index("BOTH", IndexKind.ORDERED, false, false, 1, 3)
            .build();

    @BeforeEach
    void create() {
        storage.createTable(table);
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private TableStore store() {
        return storage.table(1);
    }

    private List<Long> fill(int rows) {
        List<Long> addresses = new ArrayList<>();
        RowImage image = new RowImage(store().layout());
        for (int id = 0; id < rows; id++) {
            image.clear();
            image.setLong(0, id);
            image.setLong(1, id % 10);
            image.setLong(2, id % 20_000);
            byte[] name = ("name " + id % 50).getBytes(java.nio.charset.StandardCharsets.UTF_8);
            image.setBytes(3, name, 0, name.length);
            addresses.add(store().insert(image, undo));
        }
        undo.commit(1);
        return addresses;
    }

    private long values(Integer... columns) {
        return new TableFigures(store().rowCount(), TableSample.of(store())).values(List.of(columns));
    }

    @Test
    void knowsRoughlyHowManyValuesThereAre() {
        fill(ROWS);
        assertThat(values(0)).isEqualTo(ROWS);
        assertThat(values(1)).isEqualTo(10);
        assertThat(values(2)).isCloseTo(20_000L, Percentage.withPercentage(60));
        assertThat(values(3)).isEqualTo(50);
        assertThat(values(4)).isOne();
        // Of the 10 and the 50 values only those that go together.
        assertThat(values(1, 3)).isEqualTo(50);
    }

    /** Four rows of each value lie together, as the lines of an order do. */
    @Test
    void isNotMistakenInRowsThatLieTogether() {
        RowImage image = new RowImage(store().layout());
        for (int id = 0; id < ROWS; id++) {
            image.clear();
            image.setLong(0, id);
            image.setLong(1, id / 4);
            image.setLong(2, id / 40);
            store().insert(image, undo);
        }
        undo.commit(1);
        assertThat(values(1)).isCloseTo(ROWS / 4L, Percentage.withPercentage(40));
        assertThat(values(2)).isCloseTo(ROWS / 40L, Percentage.withPercentage(20));
    }

    @Test
    void takesAllRowsOfASmallTable() {
        fill(40);
        assertThat(values(0)).isEqualTo(40);
        assertThat(values(2)).isEqualTo(40);
        assertThat(values(1)).isEqualTo(10);
    }

    @Test
    void saysNothingOfAnEmptyTable() {
        assertThat(TableSample.of(store())).isEmpty();
        fill(300).forEach(row -> store().delete(row, undo));
        undo.commit(2);
        assertThat(TableSample.of(store())).isEmpty();
    }

    @Test
    void yieldsTheSameForTheSame() {
        fill(ROWS);
        assertThat(TableSample.of(store())).isEqualTo(TableSample.of(store()));
    }

    @Test
    void estimatesByHowManyValuesCameOnce() {
        assertThat(TableSample.estimate(new long[] {4, 2, 3, 1}, 4, 1_000)).isEqualTo(1_000);
        assertThat(TableSample.estimate(new long[] {1, 2, 2, 1}, 4, 1_000)).isEqualTo(2);
        assertThat(TableSample.estimate(new long[] {7}, 1, 1)).isOne();
        assertThat(TableSample.estimate(new long[] {1, 1, 2, 9}, 3, 300)).isBetween(2L, 10L);
    }
}
