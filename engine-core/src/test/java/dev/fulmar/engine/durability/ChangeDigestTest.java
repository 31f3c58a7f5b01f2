package dev.fulmar.engine.durability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChangeDigestTest {
    private static final int KEYED = 1;
    private static final int TWIN = 2;
    private static final int NUMBERED = 3;

    private final MemoryBudget budget = new MemoryBudget(1L << 30, "memory");
    private final PartitionStorage one = storage();
    private final PartitionStorage other = storage();

    private PartitionStorage storage() {
        PartitionStorage storage = new PartitionStorage(
                new ChunkSource(budget), PartitionPlan.hash(1).bucketsOf(0, 4), 64 << 20);
        storage.createTable(table(KEYED, List.of(0)));
        storage.createTable(table(TWIN, List.of(0)));
        storage.createTable(table(NUMBERED, List.of()));
        return storage;
    }

    private static Table table(int id, List<Integer> key) {
        List<Column> columns = List.of(
                new Column("ID", ColumnType.of(TypeKind.BIGINT), false, null),
                new Column("AMOUNT", ColumnType.of(TypeKind.INTEGER), true, null),
                new Column("NOTE", ColumnType.varchar(200), true, null),
                new Column("SHARE", ColumnType.of(TypeKind.DOUBLE), true, null),
                new Column("TAG", ColumnType.of(TypeKind.UUID), true, null));
        List<Index> indexes = key.isEmpty()
                ? List.of()
                : List.of(new Index(id * 10, "I" + id, IndexKind.HASH, true, true, List.of(new IndexColumn(0, false))));
        return new Table(id, "T" + id, columns, OptionalInt.of(0), key, indexes);
    }

    @AfterEach
    void close() {
        one.close();
        other.close();
    }

    private static void insert(PartitionStorage storage, int table, long id, long amount, @Nullable String note) {
        TableStore store = storage.table(table);
        store.insert(image(store, id, amount, note), 0, storage.undoLog());
    }

    private static RowImage image(TableStore store, long id, long amount, @Nullable String note) {
        RowImage image = new RowImage(store.layout());
        image.setLong(0, id);
        image.setLong(1, amount);
        if (note == null) {
            image.setNull(2);
        } else {
            byte[] bytes = note.getBytes(StandardCharsets.UTF_8);
            image.setBytes(2, bytes, 0, bytes.length);
        }
        image.setDouble(3, amount / 2.0);
        image.setWide(4, amount, id);
        return image;
    }

    private static long row(PartitionStorage storage, int table, long id) {
        TableStore store = storage.table(table);
        SearchKey key = store.primaryIndex().newKey();
        key.reset();
        key.addColumn(store.layout(), image(store, id, 0, null).address(), 0);
        return store.primaryIndex().find(key);
    }

    private static void update(PartitionStorage storage, long id, long amount, @Nullable String note) {
        TableStore store = storage.table(KEYED);
        store.update(
                row(storage, KEYED, id),
                image(store, id, amount, note),
                store.updateShape(new int[] {1, 2, 3, 4}),
                storage.undoLog());
    }

    private static long digest(PartitionStorage storage) {
        return new ChangeDigest(storage).since(0);
    }

    /** Digest of what the changes come to; they are undone. */
    private static long digest(PartitionStorage storage, Runnable changes) {
        changes.run();
        long digest = digest(storage);
        storage.undoLog().rollback();
        return digest;
    }

    @Test
    void neitherOrderNorPlaceMatters() {
        for (long id = 1; id <= 50; id++) {
            insert(one, KEYED, id, id, "before");
            insert(other, KEYED, 51 - id, 51 - id, "b".repeat((int) id));
        }
        for (long id = 1; id <= 50; id++) {
            update(other, id, id, "before");
        }
        for (PartitionStorage storage : List.of(one, other)) {
            storage.undoLog().commit(1);
        }
        update(one, 3, 30, "three");
        insert(one, KEYED, 60, 6, null);
        one.table(KEYED).delete(row(one, KEYED, 4), one.undoLog());

        other.table(KEYED).delete(row(other, KEYED, 4), other.undoLog());
        update(other, 3, 31, "on the way");
        insert(other, KEYED, 60, 6, null);
        insert(other, KEYED, 70, 6, "comes and goes");
        other.table(KEYED).delete(row(other, KEYED, 70), other.undoLog());
        update(other, 3, 30, "three");

        assertThat(digest(other)).isEqualTo(digest(one));
    }

    @Test
    void everyDifferenceCounts() {
        insert(one, KEYED, 1, 1, "x");
        insert(one, KEYED, 2, 2, "x");
        insert(one, TWIN, 1, 1, "x");
        one.undoLog().commit(1);
        Set<Long> digests = new HashSet<>();
        List<Runnable> transactions = List.of(
                () -> {},
                () -> update(one, 1, 5, "x"),
                () -> update(one, 1, 5, "y"),
                () -> update(one, 1, 5, null),
                () -> update(one, 1, 5, ""),
                () -> update(one, 1, 5, "x\0"),
                () -> update(one, 1, 5, "123456789"),
                () -> update(one, 1, 5, "123456798"),
                () -> update(one, 1, 6, "x"),
                () -> update(one, 2, 5, "x"),
                () -> insert(one, KEYED, 3, 5, "x"),
                () -> insert(one, TWIN, 3, 5, "x"),
                () -> insert(one, NUMBERED, 3, 5, "x"),
                () -> {
                    insert(one, NUMBERED, 3, 5, "x");
                    insert(one, NUMBERED, 3, 5, "x");
                },
                () -> one.table(KEYED).delete(row(one, KEYED, 1), one.undoLog()),
                () -> one.table(TWIN).delete(row(one, TWIN, 1), one.undoLog()),
                () -> {
                    update(one, 1, 5, "x");
                    update(one, 2, 5, "x");
                });
        for (int number = 0; number < transactions.size(); number++) {
            assertThat(digests.add(digest(one, transactions.get(number))))
                    .as("transaction " + number)
                    .isTrue();
        }
    }

    @Test
    void theNumberOfARowWithoutAKeyCounts() {
        insert(other, NUMBERED, 1, 1, "earlier");
        other.undoLog().commit(1);
        assertThat(digest(one, () -> insert(one, NUMBERED, 1, 2, "x")))
                .isNotEqualTo(digest(other, () -> insert(other, NUMBERED, 1, 2, "x")));
    }

    /** These numbers are in logs. */
    @Test
    void digestsStayWhatTheyAre() {
        assertThat(Long.toHexString(digest(one, () -> insert(one, KEYED, 7, 14, "a note of some length"))))
                .isEqualTo("d5d1892ac016f51c");
        assertThat(digest(one, () -> {})).isZero();
    }

    @Test
    void marksOfTheDigestAreGoneAfterwards() {
        insert(one, KEYED, 1, 1, "x");
        long first = digest(one);
        assertThat(digest(one)).isEqualTo(first);
    }
}
