package dev.fulmar.engine.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.TableConversion;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that are made from others while rows come, change and go there. */
class TableRewriteTest {
    private static final int KEYS = 400;
    private static final int AFTER = 50;

    private final MemoryBudget budget = new MemoryBudget(64L << 20, "memory.limit");
    private final PartitionStorage storage =
            new PartitionStorage(new ChunkSource(budget), PartitionPlan.hash(1).bucketsOf(0, 4), 8L << 20);
    private final UndoLog undo = storage.undoLog();
    private final TreeMap<Long, String> expected = new TreeMap<>();
    private long clock = 1;

    @AfterEach
    void everythingIsGivenBack() {
        storage.close();
        assertThat(budget.usedBytes()).isZero();
    }

    /** The second unique key wanders between rows, so that a stale copy would stand in a new one's way. */
    private static Table table(int id, boolean keyed, boolean wider) {
        TableFixture fixture = new TableFixture(id, "T")
                .column("ID", wider ? TypeKind.BIGINT : TypeKind.INTEGER)
                .column("SLOT", TypeKind.INTEGER)
                .nullable("TEXT", ColumnType.varchar(200));
        if (wider) {
            fixture.nullable("MORE", ColumnType.of(TypeKind.INTEGER));
        }
        fixture.partitionedOn(0);
        if (keyed) {
            fixture.primaryKey(0);
            fixture.index("SLOT_ONCE", IndexKind.HASH, true, false, 0, 1);
        }
        fixture.index("BY_TEXT", IndexKind.ORDERED, false, false, 2);
        return fixture.build();
    }

    private void change(TableStore store, RowImage image, Random random, TreeMap<Long, Long> rows) {
        long id = random.nextInt(KEYS);
        String text = "t".repeat(random.nextInt(60)) + random.nextInt(1000);
        image.clear();
        image.setLong(0, id);
        image.setLong(1, random.nextInt(5));
        image.setBytes(2, text.getBytes(java.nio.charset.StandardCharsets.UTF_8), 0, text.length());
        Long row = rows.get(id);
        if (row == null) {
            rows.put(id, store.insert(image, undo));
            expected.put(id, text);
        } else if (random.nextInt(3) == 0) {
            store.delete(row, undo);
            rows.remove(id);
            expected.remove(id);
        } else {
            store.update(row, image, store.updateShape(1, 2), undo);
            expected.put(id, text);
        }
    }

    private static String text(TableStore store, long row, int column) {
        RowLayout layout = store.layout();
        byte[] bytes = new byte[layout.bytesLength(row, column)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = OffHeap.getByte(layout.bytesAddress(row, column) + i);
        }
        return new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
    }

    private static TreeMap<Long, String> contents(TableStore store) {
        TreeMap<Long, String> contents = new TreeMap<>();
        ScanCursor cursor = store.newScan();
        store.open(cursor);
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            contents.put(store.layout().getLong(row, 0), text(store, row, 2));
            assertThat(RowLayout.commitTimestamp(row)).isPositive();
        }
        return contents;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whatHappensMeanwhileIsThereInTheEnd(long seed) {
        Random random = new Random(seed);
        boolean keyed = seed % 2 == 0;
        Table before = table(1, keyed, false);
        Table after = table(AFTER, keyed, true);
        storage.createTable(before);
        TableStore store = storage.table(1);
        RowImage image = new RowImage(store.layout());
        TreeMap<Long, Long> rows = new TreeMap<>();
        for (int i = 0; i < 2 * KEYS; i++) {
            change(store, image, random, rows);
        }
        undo.commit(clock++);
        if (random.nextBoolean()) {
            storage.marks().start();
        }
        List<Integer> sources = List.of(0, 1, 2, TableConversion.NEW);
        TableRewrite shadow = TableConversion.begin(storage, before, after, sources, 0);
        for (int round = 0; round < 200; round++) {
            transaction(store, image, random, rows);
            storage.prepareNext(shadow, 1 + random.nextInt(20));
        }
        transaction(store, image, random, rows);
        TableConversion.convert(storage, before, after, sources, 0);
        assertThat(contents(storage.table(AFTER))).isEqualTo(expected);
        assertThat(TableCheck.defects(storage, List.of(before, after))).isEmpty();
        storage.dropTable(1);
        assertThat(contents(storage.table(AFTER))).isEqualTo(expected);
        // The new table's rows are used as any other's.
        TableStore made = storage.table(AFTER);
        ScanCursor cursor = made.newScan();
        made.open(cursor);
        made.delete(cursor.next(), undo);
        undo.commit(clock++);
        assertThat(TableCheck.defects(storage, List.of(after))).isEmpty();
    }

    private void transaction(TableStore store, RowImage image, Random random, TreeMap<Long, Long> rows) {
        TreeMap<Long, Long> rowsBefore = new TreeMap<>(rows);
        TreeMap<Long, String> expectedBefore = new TreeMap<>(expected);
        for (int i = random.nextInt(6); i > 0; i--) {
            change(store, image, random, rows);
        }
        if (random.nextInt(3) == 0) {
            undo.rollback();
            rows.clear();
            rows.putAll(rowsBefore);
            expected.clear();
            expected.putAll(expectedBefore);
        } else {
            undo.commit(clock++);
        }
    }

    @Test
    void aRowThatTheNewTableRefusesEndsItAndLeavesTheOldOne() {
        Table before = table(1, true, false);
        storage.createTable(before);
        TableStore store = storage.table(1);
        RowImage image = new RowImage(store.layout());
        image.setLong(0, 1);
        image.setLong(1, 1);
        store.insert(image, undo);
        undo.commit(clock++);
        Table wider = table(AFTER, true, true);
        List<Column> columns = new ArrayList<>(wider.columns());
        columns.set(3, columns.get(3).withNullable(false));
        Table strict = wider.withColumns(columns);
        List<Integer> sources = List.of(0, 1, 2, TableConversion.NEW);
        TableRewrite shadow = TableConversion.begin(storage, before, strict, sources, 0);
        assertThatThrownBy(() -> storage.prepareNext(shadow, 10))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_NULL_VIOLATION));
        storage.discardPreparation();
        assertThat(storage.hasTable(AFTER)).isFalse();
        assertThat(TableCheck.defects(storage, List.of(before))).isEmpty();
        TableConversion.convert(storage, before, wider, sources, 0);
        assertThat(storage.table(AFTER).rowCount()).isOne();
    }

    @Test
    void aRowWhoseInsertIsUndoneIsNotCopied() {
        Table before = table(1, true, false);
        Table after = table(AFTER, true, true);
        storage.createTable(before);
        TableStore store = storage.table(1);
        RowImage image = new RowImage(store.layout());
        image.setLong(0, 1);
        image.setLong(1, 1);
        List<Integer> sources = List.of(0, 1, 2, TableConversion.NEW);
        TableRewrite shadow = TableConversion.begin(storage, before, after, sources, 0);
        store.insert(image, undo);
        undo.rollback();
        storage.prepareNext(shadow, 100);
        TableConversion.convert(storage, before, after, sources, 0);
        assertThat(storage.table(AFTER).rowCount()).isZero();
    }

    @Test
    void aKeyMayGoToAnotherRowBetweenTwoSlices() {
        Table before = new TableFixture(1, "T")
                .column("ID", TypeKind.INTEGER)
                .column("KEY", TypeKind.INTEGER)
                .primaryKey(0)
                .build();
        List<Index> indexes = new ArrayList<>(before.indexes());
        indexes.add(TableFixture.newIndex(9, "KEY_ONCE", IndexKind.HASH, true, false, 1));
        Table after =
                new Table(AFTER, "T", before.columns(), before.partitioningColumn(), before.primaryKey(), indexes);
        storage.createTable(before);
        TableStore store = storage.table(1);
        RowImage image = new RowImage(store.layout());
        long[] rows = new long[2];
        for (int i = 0; i < 2; i++) {
            image.clear();
            image.setLong(0, i);
            image.setLong(1, i);
            rows[i] = store.insert(image, undo);
        }
        undo.commit(clock++);
        TableRewrite shadow = TableConversion.begin(storage, before, after, List.of(0, 1), 0);
        assertThat(storage.prepareNext(shadow, 100)).isTrue();
        for (int i = 0; i < 2; i++) {
            image.clear();
            image.setLong(1, 1 - i);
            store.update(rows[i], image, store.updateShape(1), undo);
        }
        undo.commit(clock++);
        storage.prepareNext(shadow, 1);
        TableConversion.convert(storage, before, after, List.of(0, 1), 0);
        assertThat(TableCheck.defects(storage, List.of(after))).isEmpty();
        assertThat(storage.table(AFTER).rowCount()).isEqualTo(2);
    }

    @Test
    void memoryOfADroppedTableComesBackPieceByPiece() {
        Table table = table(1, true, false);
        storage.createTable(table);
        TableStore store = storage.table(1);
        RowImage image = new RowImage(store.layout());
        for (int i = 0; i < 20_000; i++) {
            image.clear();
            image.setLong(0, i);
            image.setLong(1, 0);
            image.setBytes(2, new byte[50], 0, 50);
            store.insert(image, undo);
        }
        undo.commit(clock++);
        storage.retireTable(1);
        assertThat(storage.hasTable(1)).isFalse();
        int pieces = 0;
        long used = storage.usedBytes();
        while (!storage.freeSome(500)) {
            pieces++;
            assertThat(storage.usedBytes()).isLessThan(used);
            used = storage.usedBytes();
        }
        assertThat(pieces).isGreaterThan(5);
        // What is left is the undo log's own.
        assertThat(storage.usedBytes()).isLessThanOrEqualTo(64 << 10);
    }
}
