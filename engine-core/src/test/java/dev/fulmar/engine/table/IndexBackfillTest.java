package dev.fulmar.engine.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.IndexKeyCode;
import dev.fulmar.engine.execution.RowVerification;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.engine.version.VersionLimits;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Indexes that are built, and conditions that are looked at, while rows come, change and go. */
class IndexBackfillTest {
    private static final int KEYS = 400;
    private static final int ID = 0;
    private static final int KEY = 1;
    private static final int TEXT = 2;

    private final MemoryBudget budget = new MemoryBudget(64L << 20, "memory.limit");
    private final PartitionStorage storage = new PartitionStorage(
            new ChunkSource(budget),
            PartitionPlan.hash(1).bucketsOf(0, 4),
            8L << 20,
            VersionLimits.unlimited(),
            IndexKeyCode.compiler());
    private final UndoLog undo = storage.undoLog();
    private final Table table = new TableFixture(1, "T")
            .column("ID", TypeKind.INTEGER)
            .nullable("KEY", ColumnType.of(TypeKind.INTEGER))
            .nullable("TEXT", ColumnType.varchar(200))
            .partitionedOn(ID)
            .primaryKey(ID)
            .build();
    private final TableStore store;
    private final RowImage image;
    private long clock = 1;

    IndexBackfillTest() {
        storage.createTable(table);
        store = storage.table(1);
        image = new RowImage(store.layout());
    }

    @AfterEach
    void everythingIsGivenBack() {
        storage.close();
        assertThat(budget.usedBytes()).isZero();
    }

    private static Index index(IndexKind kind, boolean unique, Integer... columns) {
        return TableFixture.newIndex(9, "BY_KEY", kind, unique, false, columns);
    }

    private Table with(Index index) {
        List<Index> indexes = new ArrayList<>(table.indexes());
        indexes.add(index);
        return table.withIndexes(indexes);
    }

    private void setImage(long id, long key, String text) {
        image.clear();
        image.setLong(ID, id);
        image.setLong(KEY, key);
        image.setBytes(TEXT, text.getBytes(java.nio.charset.StandardCharsets.UTF_8), 0, text.length());
    }

    private long insert(long id, long key) {
        setImage(id, key, "x");
        return store.insert(image, undo);
    }

    private void update(long row, long key) {
        setImage(0, key, "x");
        store.update(row, image, store.updateShape(KEY), undo);
    }

    private void commit() {
        undo.commit(clock++);
    }

    private static void failsWith(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    /** Keys wander between rows, so that an entry of another moment would stand in a unique key's way. */
    private void transaction(Random random, TreeMap<Long, Long> rows) {
        TreeMap<Long, Long> before = new TreeMap<>(rows);
        for (int i = random.nextInt(8); i > 0; i--) {
            long id = random.nextInt(KEYS);
            Long row = rows.get(id);
            if (row == null) {
                setImage(id, id, "t".repeat(random.nextInt(60)));
                rows.put(id, store.insert(image, undo));
            } else if (random.nextInt(3) == 0) {
                store.delete(row, undo);
                rows.remove(id);
            } else if (random.nextBoolean()) {
                setImage(id, id, "u".repeat(random.nextInt(60)));
                store.update(row, image, store.updateShape(TEXT), undo);
            } else {
                Long other = rows.get((long) random.nextInt(KEYS));
                if (other != null && !other.equals(row)) {
                    long mine = store.layout().getLong(row, KEY);
                    long its = store.layout().getLong(other, KEY);
                    update(row, its);
                    update(other, mine);
                }
            }
        }
        if (random.nextInt(3) == 0) {
            undo.rollback();
            rows.clear();
            rows.putAll(before);
        } else {
            commit();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void anIndexHasWhatHappensMeanwhile(long seed) {
        Random random = new Random(seed);
        IndexKind kind = seed % 2 == 0 ? IndexKind.HASH : IndexKind.ORDERED;
        Integer[] columns = seed % 3 == 0 ? new Integer[] {TEXT, KEY} : new Integer[] {KEY};
        Index index = index(kind, false, columns);
        if (seed % 4 > 1) {
            index = partial(index);
        }
        TreeMap<Long, Long> rows = new TreeMap<>();
        for (int i = 0; i < 200; i++) {
            transaction(random, rows);
        }
        IndexBackfill growing = storage.beginIndex(with(index), index);
        boolean isReady = false;
        for (int round = 0; round < 200; round++) {
            transaction(random, rows);
            isReady = storage.prepareNext(growing, 1 + random.nextInt(20));
        }
        assertThat(isReady).isTrue();
        transaction(random, rows);
        storage.createIndex(with(index), index);
        assertThat(store.index(9)).isSameAs(growing.index());
        assertThat(TableCheck.defects(storage, List.of(with(index)))).isEmpty();
        for (int i = 0; i < 50; i++) {
            transaction(random, rows);
        }
        assertThat(TableCheck.defects(storage, List.of(with(index)))).isEmpty();
        storage.retireIndex(table, 9);
        storage.freeSome(10);
        assertThat(TableCheck.defects(storage, List.of(table))).isEmpty();
    }

    /** Has the rows whose key is above half of the keys. */
    private static Index partial(Index index) {
        Check condition = above(KEYS / 2);
        return new Index(
                index.id(), index.name(), index.kind(), index.unique(), false, index.columns(), Optional.of(condition));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void aPartialIndexHasTheRowsThatMeetItsCondition(long seed) {
        Random random = new Random(seed);
        Index index = partial(index(seed % 2 == 0 ? IndexKind.HASH : IndexKind.ORDERED, false, TEXT));
        storage.createIndex(with(index), index);
        TreeMap<Long, Long> rows = new TreeMap<>();
        for (int round = 0; round < 10; round++) {
            VersionReader reader = storage.openReader(clock - 1, 0);
            for (int i = 0; i < 40; i++) {
                transaction(random, rows);
            }
            reader.close();
            undo.reclaim(1_000_000);
            for (int i = 0; i < 20; i++) {
                transaction(random, rows);
            }
            assertThat(TableCheck.defects(storage, List.of(with(index)))).isEmpty();
        }
        long admitted = rows.values().stream()
                .filter(row -> store.layout().getLong(row, KEY) > KEYS / 2)
                .count();
        assertThat(store.index(9).entryCount()).isEqualTo(admitted).isPositive();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aUniquePartialIndexLetsOthersBeEqual(boolean hash) {
        Index index = partial(index(hash ? IndexKind.HASH : IndexKind.ORDERED, true, KEY));
        storage.createIndex(with(index), index);
        insert(1, 5);
        insert(2, 5);
        long third = insert(3, 300);
        commit();
        failsWith(ErrorCode.UNIQUE_VIOLATION, () -> insert(4, 300));
        update(third, 5);
        insert(4, 300);
        failsWith(ErrorCode.UNIQUE_VIOLATION, () -> update(third, 300));
        commit();
        update(third, 301);
        undo.rollback();
        assertThat(TableCheck.defects(storage, List.of(with(index)))).isEmpty();
    }

    /** What was begun for a change that came to nothing, whose ids the next change takes again. */
    @Test
    void oneThatGrewUnderAnotherDefinitionOfTheTableIsNotTaken() {
        insert(1, 10);
        commit();
        Index index = index(IndexKind.HASH, false, KEY);
        List<Index> more = new ArrayList<>(with(index).indexes());
        more.add(index.withId(10).withName("ANOTHER"));
        IndexBackfill growing = storage.beginIndex(with(index).withIndexes(more), index);
        storage.prepareNext(growing, 100);
        assertThat(storage.isGrowing(with(index), index)).isFalse();
        storage.createIndex(with(index), index);
        assertThat(TableCheck.defects(storage, List.of(with(index)))).isEmpty();
        assertThat(storage.preparation()).as("still of use to whoever began it").isSameAs(growing);
        storage.discardPreparation();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aUniqueKeyMayGoToAnotherRowMeanwhile(boolean hash) {
        long first = insert(1, 10);
        long second = insert(2, 20);
        commit();
        Index index = index(hash ? IndexKind.HASH : IndexKind.ORDERED, true, KEY);
        IndexBackfill growing = storage.beginIndex(with(index), index);
        assertThat(storage.prepareNext(growing, 100)).isTrue();
        update(first, 20);
        update(second, 10);
        commit();
        storage.prepareNext(growing, 1);
        storage.createIndex(with(index), index);
        assertThat(TableCheck.defects(storage, List.of(with(index)))).isEmpty();
        failsWith(ErrorCode.UNIQUE_VIOLATION, () -> insert(3, 20));
    }

    @Test
    void equalKeysEndAUniqueIndexAndLeaveTheTableAsItWas() {
        insert(1, 10);
        insert(2, 10);
        commit();
        Index index = index(IndexKind.HASH, true, KEY);
        IndexBackfill growing = storage.beginIndex(with(index), index);
        failsWith(ErrorCode.UNIQUE_VIOLATION, () -> storage.prepareNext(growing, 100));
        storage.discardPreparation();
        insert(3, 10);
        commit();
        assertThat(TableCheck.defects(storage, List.of(table))).isEmpty();
    }

    @Test
    void equalKeysThatComeAtTheVeryEndDoToo() {
        insert(1, 10);
        commit();
        Index index = index(IndexKind.HASH, true, KEY);
        IndexBackfill growing = storage.beginIndex(with(index), index);
        assertThat(storage.prepareNext(growing, 100)).isTrue();
        insert(2, 10);
        commit();
        failsWith(ErrorCode.UNIQUE_VIOLATION, () -> storage.createIndex(with(index), index));
        assertThat(storage.preparation()).isNull();
        failsWith(ErrorCode.TRANSACTION_RESTART, () -> storage.prepareNext(growing, 100));
        assertThat(TableCheck.defects(storage, List.of(table))).isEmpty();
    }

    @Test
    void rowsWhoseKeyStaysDoNotWait() {
        for (int id = 0; id < 3000; id++) {
            insert(id, id);
        }
        commit();
        Index index = index(IndexKind.ORDERED, false, KEY);
        IndexBackfill growing = storage.beginIndex(with(index), index);
        while (!storage.prepareNext(growing, 500)) {
            assertThat(growing.isBehind()).isFalse();
        }
        ScanCursor cursor = store.newScan();
        store.open(cursor);
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            setImage(0, 0, "other");
            store.update(row, image, store.updateShape(TEXT), undo);
        }
        commit();
        assertThat(storage.prepareNext(growing, 0)).isTrue();
        store.open(cursor);
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            update(row, 7);
        }
        commit();
        for (int piece = 0; piece < 30; piece++) {
            assertThat(storage.prepareNext(growing, 0)).isFalse();
        }
        assertThat(growing.isBehind()).isTrue();
        storage.createIndex(with(index), index);
        assertThat(TableCheck.defects(storage, List.of(with(index)))).isEmpty();
    }

    private static Check positive() {
        return above(0);
    }

    private static Check above(long bound) {
        ColumnType type = ColumnType.of(TypeKind.INTEGER);
        return new Check(
                "ABOVE",
                "key > " + bound,
                new Expression.Call(
                        ScalarFunction.GREATER,
                        List.of(new Expression.ColumnReference(KEY, type, true), new Expression.Literal(type, bound)),
                        ColumnType.of(TypeKind.BOOLEAN),
                        true));
    }

    @Test
    void aConditionIsLookedAtAgainForRowsThatChange() {
        long first = insert(1, 10);
        long second = insert(2, 10);
        commit();
        RowVerification verification = RowVerification.of(storage, table, positive());
        ConstraintValidation proof = verification.begin();
        assertThat(storage.prepareNext(proof, 1)).isFalse();
        update(first, 5);
        update(second, 5);
        commit();
        while (!storage.prepareNext(proof, 1)) {
            assertThat(proof.isBehind()).isFalse();
        }
        verification.verify();
        assertThat(storage.preparation()).isNull();
        ConstraintValidation again = verification.begin();
        while (!storage.prepareNext(again, 1)) {
            assertThat(again.isBehind()).isFalse();
        }
        update(first, -5);
        commit();
        failsWith(ErrorCode.CHECK_VIOLATION, verification::verify);
        failsWith(
                ErrorCode.CHECK_VIOLATION,
                () -> RowVerification.of(storage, table, positive()).verify());
    }

    @Test
    void aNullIsFoundBeforeAColumnHasNone() {
        insert(1, 10);
        commit();
        RowVerification verification = RowVerification.ofNotNull(storage, table, KEY);
        ConstraintValidation proof = verification.begin();
        assertThat(storage.prepareNext(proof, 10)).isTrue();
        image.clear();
        image.setLong(ID, 2);
        image.setNull(KEY);
        image.setNull(TEXT);
        store.insert(image, undo);
        commit();
        failsWith(ErrorCode.NOT_NULL_VIOLATION, verification::verify);
        RowVerification.ofNotNull(storage, table, ID).verify();
    }
}
