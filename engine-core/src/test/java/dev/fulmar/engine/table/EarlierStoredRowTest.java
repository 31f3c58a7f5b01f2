package dev.fulmar.engine.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.row.StoredRow;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Rows that checkpoints of earlier versions have stored are read as what they are; the samples were written by them.
 */
class EarlierStoredRowTest {
    private static final int COLUMNS = 60;

    private final PartitionStorage storage = new PartitionStorage(
            new ChunkSource(new MemoryBudget(1L << 30, "memory.limit")),
            PartitionPlan.hash(1).bucketsOf(0, 1),
            1 << 20);

    private static Table narrow() {
        return new TableFixture(1, "NARROW")
                .column("K", TypeKind.INTEGER)
                .nullable("TEXT", ColumnType.varchar(30))
                .column("PRICE", TypeKind.DOUBLE)
                .nullable("MORE", ColumnType.varchar(30))
                .partitionedOn(0)
                .primaryKey(0)
                .build();
    }

    /** The flags and null bits of its rows need one word more than they did. */
    private static Table wide() {
        TableFixture fixture = new TableFixture(2, "WIDE").column("K", TypeKind.INTEGER);
        for (int column = 1; column < COLUMNS; column++) {
            fixture = fixture.nullable(
                    "C" + column, column % 2 == 0 ? ColumnType.of(TypeKind.SMALLINT) : ColumnType.varchar(5));
        }
        return fixture.partitionedOn(0).build();
    }

    @Test
    void aRowOfForm1IsReadAsItWas() throws IOException {
        long row = restored(narrow());
        RowLayout layout = storage.table(1).layout();
        assertThat(RowLayout.flags(row)).isEqualTo(RowLayout.USED);
        assertThat(RowLayout.commitTimestamp(row)).isEqualTo(99);
        assertThat(layout.getLong(row, 0)).isEqualTo(7);
        assertThat(RowLayout.isNull(row, 1)).isTrue();
        assertThat(layout.getDouble(row, 2)).isEqualTo(2.5);
        assertThat(text(layout, row, 3)).isEqualTo("more");
    }

    @Test
    void aRowOfForm1WithFewerWordsOfFlagsIsReadAsItWas() throws IOException {
        long row = restored(wide());
        RowLayout layout = storage.table(2).layout();
        assertThat(RowLayout.flags(row)).isEqualTo(RowLayout.USED);
        assertThat(layout.getLong(row, 0)).isEqualTo(7);
        assertThat(OffHeap.getLong(row + layout.rowNumberOffset())).isEqualTo(1);
        for (int column = 1; column < COLUMNS; column++) {
            assertThat(RowLayout.isNull(row, column)).as("column %d", column).isEqualTo(column % 3 == 0);
            if (column % 3 != 0 && column % 2 == 0) {
                assertThat(layout.getLong(row, column)).isEqualTo(column);
            } else if (column % 3 != 0) {
                assertThat(text(layout, row, column)).isEqualTo("v" + column);
            }
        }
    }

    @Test
    void whatEndsTooEarlyIsNoRow() throws IOException {
        storage.createTable(narrow());
        RowLayout layout = storage.table(1).layout();
        byte[] row = sample("NARROW");
        assertThat(StoredRow.isWhole(layout, row, 0, row.length)).isTrue();
        for (int length = 0; length < row.length; length++) {
            assertThat(StoredRow.isWhole(layout, row, 0, length))
                    .as("%d bytes", length)
                    .isFalse();
        }
    }

    @Test
    void aRowIsStoredInTheFormOfToday() throws IOException {
        long row = restored(narrow());
        RowLayout layout = storage.table(1).layout();
        byte[] stored = new byte[StoredRow.bytes(layout, row)];
        StoredRow.write(layout, row, stored, 0);
        assertThat(HexFormat.of().formatHex(stored))
                .isEqualTo("63000000000000000900f2ffffffffff000000000000000000000000000000000000000000000440"
                        + "000000000400000000000000070000006d6f7265");
        assertThat(StoredRow.isWhole(layout, stored, 0, stored.length)).isTrue();
    }

    private long restored(Table table) throws IOException {
        storage.createTable(table);
        byte[] row = sample(table.name());
        new RestoredBuckets(storage).row(table.id(), 0, 0, row, 0, row.length);
        storage.finishRestore();
        ScanCursor cursor = storage.table(table.id()).newScan();
        cursor.open();
        return cursor.next();
    }

    private static String text(RowLayout layout, long row, int column) {
        byte[] bytes = new byte[layout.bytesLength(row, column)];
        OffHeap.copy(layout.bytesAddress(row, column), bytes, 0, bytes.length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] sample(String table) throws IOException {
        try (InputStream in = Objects.requireNonNull(
                RowImage.class.getResourceAsStream("stored-rows-of-form-1.txt"), "the samples")) {
            Map<String, String> rows = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.split(" ", -1))
                    .collect(Collectors.toMap(line -> line[0], line -> line[1]));
            return HexFormat.of().parseHex(Objects.requireNonNull(rows.get(table), table));
        }
    }
}
