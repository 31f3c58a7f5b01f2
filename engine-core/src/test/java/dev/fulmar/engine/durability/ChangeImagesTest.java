package dev.fulmar.engine.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.BucketCut;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.table.ScanCursor;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.random.SeededRandom;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChangeImagesTest {
    private static final int KEYED = 1;
    private static final int NUMBERED = 2;
    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    private static final ColumnType TEXT = ColumnType.varchar(200);

    private final MemoryBudget budget = new MemoryBudget(1L << 30, "memory");
    private final PartitionStorage original = storage();
    private final PartitionStorage copy = storage();
    private final ChangeEncoder encoder = new ChangeEncoder(original);
    private final ChangeReplay replay = new ChangeReplay(copy);
    private final ImageBuffer images = new ImageBuffer();
    private long timestamp = 100;

    private PartitionStorage storage() {
        PartitionStorage storage = new PartitionStorage(
                new ChunkSource(budget), PartitionPlan.hash(1).bucketsOf(0, 4), 64 << 20);
        storage.createTable(table(KEYED, List.of(0, 1)));
        storage.createTable(table(NUMBERED, List.of()));
        return storage;
    }

    /** Home, name, a unique number, an indexed amount, a text, a boolean, a small, a real, a uuid. */
    private static Table table(int id, List<Integer> key) {
        List<Column> columns = List.of(
                new Column("HOME", BIGINT, false, null),
                new Column("NAME", TEXT, false, null),
                new Column("UNIQ", BIGINT, true, null),
                new Column("AMOUNT", ColumnType.of(TypeKind.INTEGER), true, null),
                new Column("NOTE", TEXT, true, null),
                new Column("FLAG", ColumnType.of(TypeKind.BOOLEAN), true, null),
                new Column("SMALL", ColumnType.of(TypeKind.SMALLINT), true, null),
                new Column("SHARE", ColumnType.of(TypeKind.REAL), true, null),
                new Column("TAG", ColumnType.of(TypeKind.UUID), true, null));
        List<Index> indexes = new ArrayList<>();
        if (!key.isEmpty()) {
            indexes.add(index(id * 10 + 1, IndexKind.HASH, true, true, 0, 1));
            indexes.add(index(id * 10 + 2, IndexKind.ORDERED, true, true, 0, 1));
            indexes.add(index(id * 10 + 3, IndexKind.ORDERED, true, false, 0, 2));
        }
        indexes.add(index(id * 10 + 4, IndexKind.ORDERED, false, false, 3));
        return new Table(id, "T" + id, columns, OptionalInt.of(0), key, indexes);
    }

    private static Index index(int id, IndexKind kind, boolean unique, boolean primary, int... columns) {
        return new Index(
                id,
                "I" + id,
                kind,
                unique,
                primary,
                IntStream.of(columns).mapToObj(c -> new IndexColumn(c, false)).toList());
    }

    @AfterEach
    void close() {
        original.close();
        copy.close();
    }

    private void commit() {
        images.clear();
        encoder.encode(0, images);
        timestamp++;
        original.undoLog().commit(timestamp);
        replay.apply(images.array(), 0, images.length(), timestamp);
    }

    private RowImage image(int table, long home, String name, SeededRandom random) {
        RowImage image = new RowImage(original.table(table).layout());
        image.setLong(0, home);
        setText(image, 1, name);
        for (int column = 2; column < 9; column++) {
            set(image, column, random);
        }
        return image;
    }

    private static void set(RowImage image, int column, SeededRandom random) {
        if (random.nextInt(6) == 0) {
            image.setNull(column);
            return;
        }
        switch (column) {
            case 2 -> image.setLong(2, random.nextInt(30));
            case 3 -> image.setLong(3, random.nextInt(10) - 5);
            case 4 -> setText(image, 4, "n".repeat(random.nextInt(90)) + random.nextInt(1000));
            case 5 -> image.setLong(5, random.nextInt(2));
            case 6 -> image.setLong(6, random.nextInt(100) - 50);
            case 7 -> image.setDouble(7, random.nextInt(100) / 4.0);
            default -> image.setWide(8, random.nextLong(), random.nextLong());
        }
    }

    private static void setText(RowImage image, int column, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        image.setBytes(column, bytes, 0, bytes.length);
    }

    private static List<String> dump(PartitionStorage storage, int tableId) {
        TableStore table = storage.table(tableId);
        RowLayout layout = table.layout();
        List<String> rows = new ArrayList<>();
        for (long row : rows(table)) {
            StringBuilder text = new StringBuilder("@" + RowLayout.commitTimestamp(row) + " flags "
                    + RowLayout.flags(row) + " bucket " + table.bucketOf(row));
            if (layout.hasRowNumber()) {
                text.append(" #").append(OffHeap.getLong(row + layout.rowNumberOffset()));
            }
            for (int column = 0; column < layout.columnCount(); column++) {
                text.append(" | ").append(RowLayout.isNull(row, column) ? "null" : cell(layout, row, column));
            }
            rows.add(text.toString());
        }
        rows.sort(null);
        return rows;
    }

    private static String cell(RowLayout layout, long row, int column) {
        return switch (layout.kind(column)) {
            case BYTE, SHORT, INT, LONG -> Long.toString(layout.getLong(row, column));
            case FLOAT, DOUBLE -> Double.toString(layout.getDouble(row, column));
            case WIDE -> layout.wideHigh(row, column) + ":" + layout.wideLow(row, column);
            case BYTES -> {
                byte[] bytes = new byte[layout.bytesLength(row, column)];
                OffHeap.copy(layout.bytesAddress(row, column), bytes, 0, bytes.length);
                yield new String(bytes, StandardCharsets.UTF_8);
            }
        };
    }

    private static List<Long> rows(TableStore table) {
        List<Long> rows = new ArrayList<>();
        ScanCursor cursor = table.newScan();
        table.open(cursor);
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            rows.add(row);
        }
        return rows;
    }

    private void assertSame() {
        assertThat(dump(copy, KEYED)).isEqualTo(dump(original, KEYED));
        assertThat(dump(copy, NUMBERED)).isEqualTo(dump(original, NUMBERED));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void replayGivesTheSameRows(long seed) {
        SeededRandom random = new SeededRandom(seed);
        for (int transaction = 0; transaction < 300; transaction++) {
            int statements = 1 + random.nextInt(10);
            for (int i = 0; i < statements; i++) {
                long mark = original.undoLog().mark();
                try {
                    change(random.nextInt(3) == 0 ? NUMBERED : KEYED, random);
                } catch (FulmarException refused) {
                    assertThat(original.undoLog().mark()).isEqualTo(mark);
                }
                if (random.nextInt(12) == 0) {
                    original.undoLog().rollbackTo(mark);
                }
            }
            if (random.nextInt(10) == 0) {
                original.undoLog().rollback();
            } else {
                commit();
            }
        }
        assertSame();
        assertThat(dump(copy, KEYED)).isNotEmpty();
        assertThat(dump(copy, NUMBERED)).isNotEmpty();
    }

    private void change(int tableId, SeededRandom random) {
        TableStore table = original.table(tableId);
        List<Long> rows = rows(table);
        int kind = random.nextInt(10);
        if (kind < 3 || rows.isEmpty()) {
            table.insert(image(tableId, random.nextInt(5), name(random), random), original.undoLog());
            return;
        }
        long row = rows.get(random.nextInt(rows.size()));
        if (kind == 3) {
            table.delete(row, original.undoLog());
            return;
        }
        RowImage image = new RowImage(table.layout());
        int first = random.nextInt(4) == 0 ? 0 : 2; // seldom a key column
        int[] columns = IntStream.range(first, 9)
                .filter(column -> random.nextInt(3) == 0)
                .toArray();
        for (int column : columns) {
            switch (column) {
                case 0 -> image.setLong(0, random.nextInt(5));
                case 1 -> setText(image, 1, name(random));
                default -> set(image, column, random);
            }
        }
        table.update(row, image, table.updateShape(columns), original.undoLog());
    }

    private static String name(SeededRandom random) {
        return "name".repeat(1 + random.nextInt(3)) + random.nextInt(8);
    }

    /** The bytes are on disks: they may be added to, under another version of the payload, but never change. */
    @Test
    void bytesOfImagesNeverChange() {
        RowImage image = new RowImage(original.table(KEYED).layout());
        image.setLong(0, 3);
        setText(image, 1, "ab");
        image.setLong(2, 77);
        image.setLong(5, 1);
        image.setDouble(7, 0.5);
        image.setWide(8, 1, 2);
        long row = original.table(KEYED).insert(image, original.undoLog());
        images.clear();
        encoder.encode(0, images);
        original.undoLog().commit(5);
        assertThat(HexFormat.of().formatHex(images.toByteArray()))
                .isEqualTo("03" + "01000000" + "5800" + "0300000000000000" + "020000006162" + "4d00000000000000" + "01"
                        + "0000003f" + "01000000000000000200000000000000");
        RowImage change = new RowImage(original.table(KEYED).layout());
        change.setLong(6, -2);
        change.setNull(5);
        original.table(KEYED).update(row, change, original.table(KEYED).updateShape(5, 6), original.undoLog());
        images.clear();
        encoder.encode(0, images);
        original.undoLog().commit(6);
        assertThat(HexFormat.of().formatHex(images.toByteArray()))
                .isEqualTo("02" + "01000000" + "0300000000000000" + "020000006162" + "6000" + "2000" + "feff");
        original.table(KEYED).delete(row, original.undoLog());
        images.clear();
        encoder.encode(0, images);
        original.undoLog().commit(7);
        assertThat(HexFormat.of().formatHex(images.toByteArray()))
                .isEqualTo("01" + "01000000" + "0300000000000000" + "020000006162");
    }

    @Test
    void aSwapOfUniqueNumbersIsReplayed() {
        SeededRandom random = new SeededRandom(1);
        for (String name : List.of("a", "b")) {
            RowImage image = image(KEYED, 1, name, random);
            image.setLong(2, name.equals("a") ? 10 : 20);
            original.table(KEYED).insert(image, original.undoLog());
        }
        commit();
        List<Long> rows = rows(original.table(KEYED));
        setUnique(rows.get(0), 30);
        setUnique(rows.get(1), 10);
        setUnique(rows.get(0), 20);
        commit();
        assertSame();
    }

    private void setUnique(long row, long number) {
        RowImage image = new RowImage(original.table(KEYED).layout());
        image.setLong(2, number);
        original.table(KEYED).update(row, image, original.table(KEYED).updateShape(2), original.undoLog());
    }

    @Test
    void theKeyBeforeTheTransactionNamesTheRow() {
        SeededRandom random = new SeededRandom(2);
        original.table(KEYED).insert(image(KEYED, 1, "abcdef", random), original.undoLog());
        commit();
        long row = rows(original.table(KEYED)).getFirst();
        for (String name : List.of("xyz", "q", "longer than all before, so that it moves", "end")) {
            RowImage image = new RowImage(original.table(KEYED).layout());
            setText(image, 1, name);
            original.table(KEYED).update(row, image, original.table(KEYED).updateShape(1), original.undoLog());
        }
        commit();
        assertSame();
    }

    @Test
    void ofAnUnchangedRowNoValueIsTold() {
        SeededRandom random = new SeededRandom(3);
        original.table(KEYED).insert(image(KEYED, 1, "a", random), original.undoLog());
        commit();
        long row = rows(original.table(KEYED)).getFirst();
        RowImage image = new RowImage(original.table(KEYED).layout());
        image.copyColumn(5, row);
        original.table(KEYED).update(row, image, original.table(KEYED).updateShape(5), original.undoLog());
        images.clear();
        encoder.encode(0, images);
        assertThat(HexFormat.of().formatHex(images.toByteArray())).endsWith("61" + "0000" + "0000");
        original.undoLog().rollback();
    }

    @Test
    void refusesWhatIsNoImage() {
        byte[] unknownKind = {9, 1, 0, 0, 0};
        byte[] unknownTable = {1, 9, 0, 0, 0};
        byte[] cut = {1, 1, 0, 0, 0, 3, 0};
        assertThatThrownBy(() -> replay.apply(unknownKind, 0, 5, 1)).hasMessageContaining("unknown kind 9");
        assertThatThrownBy(() -> replay.apply(unknownTable, 0, 5, 1)).hasMessageContaining("table 9");
        assertThatThrownBy(() -> replay.apply(cut, 0, 7, 1)).hasMessageContaining("ends after 2 bytes");
    }

    @Test
    void numbersOfRowsThatCameAndWentAreNotGivenAgain() {
        SeededRandom random = new SeededRandom(3);
        original.table(NUMBERED).insert(image(NUMBERED, 1, "goes", random), 0, original.undoLog());
        original.table(NUMBERED).delete(rows(original.table(NUMBERED)).getFirst(), original.undoLog());
        commit();
        for (PartitionStorage storage : List.of(original, copy)) {
            TableStore table = storage.table(NUMBERED);
            long row = table.insert(image(NUMBERED, 1, "stays", new SeededRandom(3)), 0, storage.undoLog());
            assertThat(OffHeap.getLong(row + table.layout().rowNumberOffset())).isEqualTo(2);
            storage.undoLog().commit(timestamp + 1);
        }
    }

    /** Rows lie elsewhere behind a cut, and a replay that knows them by their numbers looks for them anew. */
    @Test
    void aReplayFindsNumberedRowsBehindACut() {
        SeededRandom random = new SeededRandom(3);
        TableStore table = original.table(NUMBERED);
        for (int home = 0; home < 40; home++) {
            table.insert(image(NUMBERED, home, "row", random), 0, original.undoLog());
        }
        commit();
        table.delete(rows(table).getFirst(), original.undoLog());
        commit(); // from here on the replay knows all rows by their numbers
        for (PartitionStorage storage : List.of(original, copy)) {
            int bucket = storage.table(NUMBERED)
                    .bucketOf(rows(storage.table(NUMBERED)).getFirst());
            KeyRange half = BucketCut.upperHalf(storage, bucket).orElseThrow();
            BucketCut.begin(storage, bucket, half.space(), half.first()).finish(Long.MAX_VALUE);
            storage.freeSome(Integer.MAX_VALUE);
        }
        for (long row : rows(table)) {
            table.delete(row, original.undoLog());
        }
        commit();
        assertThat(rows(copy.table(NUMBERED))).isEmpty();
        assertSame();
    }

    @Test
    void aRowThatSomethingElseMadeIsFoundByItsNumber() {
        SeededRandom random = new SeededRandom(3);
        TableStore table = original.table(NUMBERED);
        table.insert(image(NUMBERED, 1, "first", random), 0, original.undoLog());
        commit();
        table.delete(rows(table).getFirst(), original.undoLog());
        commit(); // from here on the replay knows all rows by their numbers
        for (PartitionStorage storage : List.of(original, copy)) {
            storage.table(NUMBERED).insert(image(NUMBERED, 1, "second", new SeededRandom(4)), 0, storage.undoLog());
        }
        replay.observe();
        for (PartitionStorage storage : List.of(original, copy)) {
            storage.undoLog().commit(timestamp);
        }
        table.delete(rows(table).getFirst(), original.undoLog());
        commit();
        assertSame();
    }
}
