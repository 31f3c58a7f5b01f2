package dev.fulmar.engine.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.KeyExpression;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.IndexKeyCode;
import dev.fulmar.engine.execution.ReferenceVerification;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Indexes whose keys are computed, some of which cannot be, and foreign keys that come while rows of both tables come
 * and go.
 */
class ComputedIndexTest {
    private static final int ID = 0;
    private static final int KEY = 1;
    private static final int PARENT = 2;
    private static final ColumnType INTEGER = ColumnType.of(TypeKind.INTEGER);

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
            .nullable("KEY", INTEGER)
            .nullable("PARENT", INTEGER)
            .partitionedOn(ID)
            .primaryKey(ID)
            .build();
    private final Table parents = new TableFixture(2, "P")
            .column("ID", TypeKind.INTEGER)
            .primaryKey(ID)
            .build();
    private final TableStore store;
    private final TableStore parentStore;
    private final RowImage image;
    private final RowImage parentImage;
    private long clock = 1;

    ComputedIndexTest() {
        storage.createTable(table);
        storage.createTable(parents);
        store = storage.table(1);
        parentStore = storage.table(2);
        image = new RowImage(store.layout());
        parentImage = new RowImage(parentStore.layout());
    }

    @AfterEach
    void everythingIsGivenBack() {
        storage.close();
        assertThat(budget.usedBytes()).isZero();
    }

    /** By 100 divided by the key, which rows of key 0 do not have. */
    private static Index ratio(IndexKind kind, boolean unique) {
        Expression quotient = new Expression.Call(
                ScalarFunction.DIVIDE,
                List.of(new Expression.Literal(INTEGER, 100L), new Expression.ColumnReference(KEY, INTEGER, true)),
                INTEGER,
                true);
        IndexColumn key = new IndexColumn(new KeyExpression("100 / key", quotient), false);
        return new Index(9, "BY_RATIO", kind, unique, false, List.of(key));
    }

    private Table with(Index index) {
        List<Index> indexes = new ArrayList<>(table.indexes());
        indexes.add(index);
        return table.withIndexes(indexes);
    }

    private void setImage(long id, long key) {
        image.clear();
        image.setLong(ID, id);
        image.setLong(KEY, key);
        image.setNull(PARENT);
    }

    private long insert(long id, long key) {
        setImage(id, key);
        return store.insert(image, undo);
    }

    private void update(long row, long key) {
        setImage(0, key);
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

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRowWithoutKeyIsNotTaken(boolean hash) {
        Index index = ratio(hash ? IndexKind.HASH : IndexKind.ORDERED, true);
        storage.createIndex(with(index), index);
        long first = insert(1, 5);
        commit();
        assertThatThrownBy(() -> insert(2, 0))
                .hasMessageContaining("100 / key")
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DIVISION_BY_ZERO));
        failsWith(ErrorCode.DIVISION_BY_ZERO, () -> update(first, 0));
        assertThat(store.layout().getLong(first, KEY)).isEqualTo(5);
        assertThat(store.rowCount()).isEqualTo(1);
        assertThatThrownBy(() -> insert(3, 5))
                .hasMessageContaining("100 / key of KEY = 5")
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNIQUE_VIOLATION));
        update(first, 50);
        insert(3, 5);
        undo.rollback();
        insert(4, 50);
        commit();
        assertThat(TableCheck.defects(storage, List.of(with(index), parents))).isEmpty();
    }

    private void transaction(Random random, TreeMap<Long, Long> rows) {
        TreeMap<Long, Long> before = new TreeMap<>(rows);
        boolean failed = false;
        for (int i = random.nextInt(8); i > 0 && !failed; i--) {
            long id = random.nextInt(300);
            long key = random.nextInt(60);
            Long row = rows.get(id);
            try {
                if (row == null) {
                    rows.put(id, insert(id, key));
                } else if (random.nextInt(3) == 0) {
                    store.delete(row, undo);
                    rows.remove(id);
                } else {
                    update(row, key);
                }
            } catch (FulmarException e) {
                failed = true;
            }
        }
        if (failed || random.nextInt(3) == 0) {
            undo.rollback();
            rows.clear();
            rows.putAll(before);
        } else {
            commit();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void keysFollowTheRows(long seed) {
        Random random = new Random(seed);
        Index index = ratio(seed % 2 == 0 ? IndexKind.HASH : IndexKind.ORDERED, false);
        if (seed > 4) {
            storage.createIndex(with(index), index);
        }
        TreeMap<Long, Long> rows = new TreeMap<>();
        if (seed <= 4) {
            for (long id = 0; id < 300; id++) {
                rows.put(id, insert(id, 1 + random.nextInt(59)));
            }
            commit();
            IndexBackfill growing = storage.beginIndex(with(index), index);
            for (int round = 0; round < 100; round++) {
                long row = Objects.requireNonNull(rows.get((long) random.nextInt(300)));
                update(row, 1 + random.nextInt(59));
                if (random.nextBoolean()) {
                    undo.rollback();
                } else {
                    commit();
                }
                storage.prepareNext(growing, 1 + random.nextInt(20));
            }
            storage.createIndex(with(index), index);
        }
        for (int round = 0; round < 10; round++) {
            VersionReader reader = storage.openReader(clock - 1, 0);
            for (int i = 0; i < 40; i++) {
                transaction(random, rows);
            }
            reader.close();
            undo.reclaim(1_000_000);
            assertThat(TableCheck.defects(storage, List.of(with(index), parents)))
                    .isEmpty();
        }
        assertThat(store.index(9).entryCount()).isEqualTo(rows.size()).isPositive();
    }

    @Test
    void aRowWithoutKeyEndsTheBuilding() {
        insert(1, 0);
        commit();
        Index index = ratio(IndexKind.ORDERED, false);
        IndexBackfill growing = storage.beginIndex(with(index), index);
        failsWith(ErrorCode.DIVISION_BY_ZERO, () -> storage.prepareNext(growing, 100));
        storage.discardPreparation();
        insert(2, 0);
        commit();
        assertThat(TableCheck.defects(storage, List.of(table, parents))).isEmpty();
    }

    private static ForeignKey reference() {
        return new ForeignKey(
                "REFERENCE",
                List.of("PARENT"),
                "P",
                List.of("ID"),
                ForeignKey.Action.NO_ACTION,
                ForeignKey.Action.NO_ACTION);
    }

    private long insertParent(long id) {
        parentImage.clear();
        parentImage.setLong(ID, id);
        return parentStore.insert(parentImage, undo);
    }

    private long insertChild(long id, long parent) {
        setImage(id, 1);
        image.setLong(PARENT, parent);
        return store.insert(image, undo);
    }

    /** What is said of a reference when a row that it leads to goes after both were looked at. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReferenceIsLookedAtAgainWhenWhatItLeadsToGoes(boolean hasIndex) {
        Index index = TableFixture.newIndex(9, "BY_PARENT", IndexKind.ORDERED, false, false, PARENT);
        Table child = with(index).withForeignKeys(List.of(reference()));
        if (hasIndex) {
            storage.createIndex(with(index), index);
        }
        long first = insertParent(1);
        insertParent(2);
        insertChild(1, 1);
        insertChild(2, 2);
        commit();
        ReferenceVerification verification = new ReferenceVerification(storage, child, parents, reference());
        TablePreparation begun = hasIndex ? verification.begin() : verification.beginIndex(index);
        assertThat(storage.prepareNext(begun, 100)).isTrue();
        parentStore.delete(first, undo);
        undo.rollback();
        assertThat(storage.prepareNext(begun, 100)).isTrue();
        parentStore.delete(first, undo);
        commit();
        failsWith(ErrorCode.FOREIGN_KEY_VIOLATION, () -> storage.prepareNext(begun, 100));
        storage.discardPreparation();
        insertChild(3, 77);
        commit();
        assertThatThrownBy(() -> {
                    if (hasIndex) {
                        verification.verify();
                    } else {
                        verification.createIndex(index);
                    }
                })
                .hasMessageContaining("(PARENT = ")
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FOREIGN_KEY_VIOLATION));
        assertThat(TableCheck.defects(storage, List.of(hasIndex ? with(index) : table, parents)))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void referencesThatHoldAreTakenOn(boolean hasIndex) {
        Index index = TableFixture.newIndex(9, "BY_PARENT", IndexKind.ORDERED, false, false, PARENT);
        Table child = with(index).withForeignKeys(List.of(reference()));
        if (hasIndex) {
            storage.createIndex(with(index), index);
        }
        for (int id = 0; id < 50; id++) {
            insertParent(id);
            insertChild(id, id);
        }
        commit();
        ReferenceVerification verification = new ReferenceVerification(storage, child, parents, reference());
        TablePreparation begun = hasIndex ? verification.begin() : verification.beginIndex(index);
        for (int id = 50; id < 100; id++) {
            storage.prepareNext(begun, 3);
            insertParent(id);
            insertChild(id, id - 1);
            commit();
        }
        if (hasIndex) {
            verification.verify();
        } else {
            verification.createIndex(index);
        }
        assertThat(storage.preparation()).isNull();
        insertParent(200);
        commit();
        assertThat(TableCheck.defects(storage, List.of(with(index), parents))).isEmpty();
    }

    @Test
    void theConditionOfAPartialIndexKeepsOutWhatHasNoKey() {
        Index all = ratio(IndexKind.ORDERED, false);
        Index index = new Index(
                all.id(),
                all.name(),
                all.kind(),
                false,
                false,
                all.columns(),
                Optional.of(new dev.fulmar.engine.catalog.Check(
                        "BY_RATIO",
                        "key > 0",
                        new Expression.Call(
                                ScalarFunction.GREATER,
                                List.of(
                                        new Expression.ColumnReference(KEY, INTEGER, true),
                                        new Expression.Literal(INTEGER, 0L)),
                                ColumnType.of(TypeKind.BOOLEAN),
                                true))));
        storage.createIndex(with(index), index);
        long row = insert(1, 0);
        insert(2, 4);
        commit();
        update(row, 5);
        commit();
        update(row, 0);
        commit();
        store.delete(row, undo);
        commit();
        assertThat(store.index(9).entryCount()).isEqualTo(1);
        assertThat(TableCheck.defects(storage, List.of(with(index), parents))).isEmpty();
    }
}
