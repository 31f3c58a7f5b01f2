package dev.fulmar.engine.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.index.SearchRange;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partitioning.BucketMap;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TableStoreTest {
    private static final long LIMIT = 24L << 20;
    private static final long UNDO_LIMIT = 1L << 20;

    private final MemoryBudget budget = new MemoryBudget(LIMIT, "memory.limit");
    private final PartitionStorage storage =
            new PartitionStorage(new ChunkSource(budget), BucketMap.single(), UNDO_LIMIT);
    private final UndoLog undo = storage.undoLog();
    private final Table table = new TableFixture(1, "T")
            .column("ID", TypeKind.INTEGER)
            .nullable("NAME", ColumnType.varchar(8))
            .nullable("SMALL", ColumnType.of(TypeKind.SMALLINT))
            .nullable("TEXT", ColumnType.varchar(1_000_000))
            .column("KIND", TypeKind.BIGINT)
            .primaryKey(0)
            .build();
    private final TableStore store = create(table);
    private final RowImage image = new RowImage(store.layout());

    private TableStore create(Table definition) {
        storage.createTable(definition);
        return storage.table(definition.id());
    }

    @AfterEach
    void everythingIsGivenBack() {
        storage.close();
        assertThat(budget.usedBytes()).isZero();
    }

    private void fill(long id, String name, int textBytes, long kind) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        image.clear();
        image.setLong(0, id);
        image.setBytes(1, text, 0, text.length);
        image.setBytes(3, new byte[textBytes], 0, textBytes);
        image.setLong(4, kind);
    }

    private long insert(long id, String name, int textBytes, long kind) {
        fill(id, name, textBytes, kind);
        return store.insert(image, undo);
    }

    private static void assertFails(ErrorCode code, String text, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining(text)
                .extracting(failure -> ((FulmarException) failure).code())
                .isEqualTo(code);
    }

    private long find(long id) {
        TableIndex index = store.primaryIndex();
        return index.find(index.newKey().reset().addLong(id));
    }

    @Test
    void valuesAreCheckedAgainstTheirType() {
        assertFails(ErrorCode.VALUE_OUT_OF_RANGE, "SMALL of T", () -> image.setLong(2, 40_000));
        assertFails(ErrorCode.TYPE_MISMATCH, "NAME of T", () -> image.setLong(1, 1));
        assertFails(ErrorCode.STRING_TOO_LONG, "9 characters", () -> fill(1, "123456789", 0, 0));
        fill(1, "äöüäöüäö", 0, 0);
        assertThat(store.layout().bytesLength(image.address(), 1)).isEqualTo(16);
    }

    @Test
    void aMissingValueIsRefused() {
        image.clear();
        image.setLong(0, 1);
        assertFails(ErrorCode.NOT_NULL_VIOLATION, "KIND of T", () -> store.insert(image, undo));
        long row = insert(1, "a", 0, 0);
        image.clear();
        assertFails(ErrorCode.NOT_NULL_VIOLATION, "KIND", () -> store.update(row, image, store.updateShape(4), undo));
    }

    @Test
    void aSecondRowOfAKeyIsRefusedAndLeavesNoTrace() {
        insert(7, "a", 100, 0);
        undo.commit(1);
        long used = storage.usedBytes();
        assertFails(ErrorCode.UNIQUE_VIOLATION, "ID = 7", () -> insert(7, "b", 50_000, 1));
        assertThat(undo.isEmpty()).isTrue();
        assertThat(storage.usedBytes()).isEqualTo(used);
        assertThat(store.rowCount()).isEqualTo(1);
    }

    @Test
    void aKeyCanBeUsedAgainInTheTransactionThatDeletedIt() {
        for (int i = 0; i < 1000; i++) {
            long row = insert(7, "a", 10, i);
            assertThat(find(7)).isEqualTo(row);
            store.delete(row, undo);
            assertThat(find(7)).isZero();
        }
        long last = insert(7, "z", 10, -1);
        undo.commit(5);
        assertThat(find(7)).isEqualTo(last);
        assertThat(store.primaryIndex().entryCount()).isEqualTo(1);
        assertThat(RowLayout.commitTimestamp(last)).isEqualTo(5);
    }

    @Test
    void rollingBackGivesTheCommitTimestampBack() {
        long row = insert(1, "a", 10, 0);
        undo.commit(41);
        fill(1, "b", 10, 9);
        store.update(row, image, store.updateShape(1, 4), undo);
        undo.rollback();
        assertThat(RowLayout.commitTimestamp(row)).isEqualTo(41);
        assertThat(store.layout().getLong(row, 4)).isZero();
        store.update(row, image, store.updateShape(1, 4), undo);
        undo.commit(42);
        assertThat(RowLayout.commitTimestamp(row)).isEqualTo(42);
    }

    @Test
    void textGrowsAndShrinks() {
        long row = insert(1, "a", 10, 0);
        for (int bytes : new int[] {20, 5, 500_000, 12, 0, 999_999, 1}) {
            fill(1, "b", bytes, 0);
            assertThat(store.update(row, image, store.updateShape(3), undo)).isEqualTo(row);
            assertThat(store.layout().bytesLength(row, 3)).isEqualTo(bytes);
            undo.commit(1);
        }
    }

    @Test
    void theMemoryLimitFailsOneStatementAndLeavesNoTrace() {
        int rows = fillUp();
        long used = storage.usedBytes();
        fill(-1, "x", 900_000, 0);
        assertFails(ErrorCode.MEMORY_LIMIT, "memory.limit", () -> store.insert(image, undo));
        assertThat(store.rowCount()).isEqualTo(rows);
        assertThat(undo.isEmpty()).isTrue();
        assertThat(storage.usedBytes()).isEqualTo(used);
        assertThat(budget.usedBytes()).isLessThanOrEqualTo(LIMIT);
        long row = find(0);
        assertFails(ErrorCode.MEMORY_LIMIT, "memory.limit", () -> store.update(row, image, store.updateShape(3), undo));
        assertThat(store.layout().bytesLength(row, 3)).isEqualTo(5_000);
        for (int id = 0; id < rows / 2; id++) {
            store.delete(find(id), undo);
            undo.commit(1);
        }
        fill(-1, "x", 900_000, 0);
        store.insert(image, undo);
        undo.commit(1);
        assertThat(store.rowCount()).isEqualTo(rows - rows / 2 + 1);
    }

    private int fillUp() {
        for (int id = 0; true; id++) {
            try {
                insert(id, "a", 5_000, id);
                undo.commit(1);
            } catch (FulmarException full) {
                assertThat(full.code()).isEqualTo(ErrorCode.MEMORY_LIMIT);
                return id;
            }
        }
    }

    @Test
    void theUndoLimitFailsOneStatement() {
        List<Long> rows = new ArrayList<>();
        for (int id = 0; id < 1000; id++) {
            rows.add(insert(id, "a", 2_000, 0));
        }
        undo.commit(1);
        fill(0, "b", 2_000, 1);
        UpdateShape shape = store.updateShape(3, 4);
        assertFails(ErrorCode.UNDO_LIMIT, "undo", () -> rows.forEach(row -> store.update(row, image, shape, undo)));
        undo.rollback();
        for (long row : rows) {
            assertThat(store.layout().getLong(row, 4)).isZero();
        }
        assertThat(undo.usedBytes()).isZero();
    }

    @Test
    void anIndexIsBuiltOverRowsThatExist() {
        for (int id = 0; id < 500; id++) {
            insert(id, "a", 10, id % 50);
        }
        undo.commit(1);
        Index byKind = TableFixture.newIndex(9, "BY_KIND", IndexKind.ORDERED, false, false, ~4);
        storage.createIndex(with(byKind), byKind);
        TableIndex built = store.index(9);
        assertThat(built.entryCount()).isEqualTo(500);
        SearchRange range = built.newRange().reset();
        range.prefix().addLong(3);
        IndexCursor cursor = built.newCursor();
        built.open(cursor, range, false);
        for (int id = 3; id < 500; id += 50) {
            assertThat(store.layout().getLong(cursor.next(), 0)).isEqualTo(id);
        }
        assertThat(cursor.next()).isZero();
        storage.dropIndex(table, 9);
        assertFails(ErrorCode.UNKNOWN_OBJECT, "9", () -> store.index(9));
    }

    private Table with(Index index) {
        List<Index> indexes = new ArrayList<>(table.indexes());
        indexes.add(index);
        return new Table(
                table.id(), table.name(), table.columns(), table.partitioningColumn(), table.primaryKey(), indexes);
    }

    @Test
    void aUniqueIndexOverEqualRowsIsRefusedAndLeavesNothing() {
        insert(1, "a", 10, 5);
        insert(2, "a", 10, 5);
        undo.commit(1);
        long used = storage.usedBytes();
        for (IndexKind kind : IndexKind.values()) {
            Index byKind = TableFixture.newIndex(9, "BY_KIND", kind, true, false, 4);
            assertFails(ErrorCode.UNIQUE_VIOLATION, "BY_KIND", () -> storage.createIndex(with(byKind), byKind));
        }
        assertThat(storage.usedBytes()).isEqualTo(used);
        insert(3, "a", 10, 5);
    }

    @Test
    void anUpdateShapeNoticesANewIndex() {
        long row = insert(1, "a", 10, 5);
        undo.commit(1);
        UpdateShape shape = store.updateShape(4);
        fill(1, "a", 10, 6);
        store.update(row, image, shape, undo);
        undo.commit(2);
        Index byKind = TableFixture.newIndex(9, "BY_KIND", IndexKind.HASH, true, false, 4);
        storage.createIndex(with(byKind), byKind);
        fill(1, "a", 10, 8);
        store.update(row, image, shape, undo);
        undo.commit(3);
        TableIndex built = store.index(9);
        assertThat(built.find(built.newKey().reset().addLong(8))).isEqualTo(row);
        assertThat(built.find(built.newKey().reset().addLong(6))).isZero();
    }

    @Test
    void rowsWithoutPrimaryKeyKeepTheOrderOfInsertionInAnIndex() {
        TableStore log = create(new TableFixture(2, "LOG")
                .column("KIND", TypeKind.INTEGER)
                .column("NUMBER", TypeKind.INTEGER)
                .index("BY_KIND", IndexKind.ORDERED, false, false, 0)
                .build());
        RowImage entry = new RowImage(log.layout());
        for (int i = 0; i < 300; i++) {
            entry.clear();
            entry.setLong(0, i % 3);
            entry.setLong(1, i);
            log.insert(entry, undo);
            if (i % 10 == 9) {
                undo.rollback();
            }
            undo.commit(1);
        }
        assertThat(log.rowCount()).isEqualTo(270);
        IndexCursor cursor = log.index(1).newCursor();
        log.index(1).open(cursor, log.index(1).newRange().reset(), false);
        long kind = -1;
        long number = -1;
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            long itsKind = log.layout().getLong(row, 0);
            assertThat(itsKind).isGreaterThanOrEqualTo(kind);
            assertThat(log.layout().getLong(row, 1)).isGreaterThan(itsKind == kind ? number : -1);
            kind = itsKind;
            number = log.layout().getLong(row, 1);
        }
    }

    @Test
    void anUnknownTableIsNamed() {
        assertFails(ErrorCode.UNKNOWN_OBJECT, "77", () -> storage.table(77));
        assertFails(ErrorCode.UNKNOWN_OBJECT, "1000", () -> storage.table(1000));
    }
}
