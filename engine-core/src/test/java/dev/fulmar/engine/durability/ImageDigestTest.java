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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ImageDigestTest {
    private static final int KEYED = 1;
    private static final int NUMBERED = 2;

    private final MemoryBudget budget = new MemoryBudget(1L << 30, "memory");
    private final PartitionStorage one = storage();
    private final PartitionStorage other = storage();

    private PartitionStorage storage() {
        PartitionStorage storage = new PartitionStorage(
                new ChunkSource(budget), PartitionPlan.hash(1).bucketsOf(0, 4), 64 << 20);
        storage.createTable(table(KEYED, List.of(0)));
        storage.createTable(table(NUMBERED, List.of()));
        return storage;
    }

    private static Table table(int id, List<Integer> key) {
        List<Column> columns = List.of(
                new Column("ID", ColumnType.of(TypeKind.BIGINT), false, null),
                new Column("AMOUNT", ColumnType.of(TypeKind.INTEGER), true, null),
                new Column("NOTE", ColumnType.varchar(200), true, null));
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
        return image;
    }

    private static void insert(PartitionStorage storage, int table, long id, long amount, @Nullable String note) {
        TableStore store = storage.table(table);
        store.insert(image(store, id, amount, note), 0, storage.undoLog());
    }

    private static long row(PartitionStorage storage, long id) {
        TableStore store = storage.table(KEYED);
        SearchKey key = store.primaryIndex().newKey();
        key.reset();
        key.addColumn(store.layout(), image(store, id, 0, null).address(), 0);
        return store.primaryIndex().find(key);
    }

    private static void update(PartitionStorage storage, long id, long amount, @Nullable String note) {
        TableStore store = storage.table(KEYED);
        store.update(
                row(storage, id),
                image(store, id, amount, note),
                store.updateShape(new int[] {1, 2}),
                storage.undoLog());
    }

    private static void delete(PartitionStorage storage, long id) {
        storage.table(KEYED).delete(row(storage, id), storage.undoLog());
    }

    /** Digest of the changes, which stay. */
    private static long digest(PartitionStorage storage, Consumer<PartitionStorage> changes) {
        long mark = storage.undoLog().mark();
        changes.accept(storage);
        return new ImageDigest(storage).since(mark);
    }

    /** Digest of the changes, which are undone. */
    private static long undone(PartitionStorage storage, Consumer<PartitionStorage> changes) {
        long mark = storage.undoLog().mark();
        long digest = digest(storage, changes);
        storage.undoLog().rollbackTo(mark);
        return digest;
    }

    @Test
    void neitherOrderNorPlaceMatters() {
        for (long id = 1; id <= 50; id++) {
            insert(one, KEYED, id, id, "before");
        }
        for (long id = 50; id >= 1; id--) {
            insert(other, KEYED, id, id, "x");
        }
        for (long id = 1; id <= 50; id++) {
            update(other, id, id, "before");
        }
        long upwards = digest(one, storage -> {
            for (long id = 1; id <= 50; id++) {
                update(storage, id, id + 1, "after" + id);
            }
        });
        long downwards = digest(other, storage -> {
            for (long id = 50; id >= 1; id--) {
                update(storage, id, id + 1, "after" + id);
            }
        });
        assertThat(upwards).isEqualTo(downwards).isNotZero();
    }

    /** The row is as short before as after, so its bytes are overwritten in place. */
    @Test
    void theImageBeforeCountsAlsoOfBytesThatWereOverwritten() {
        Set<Long> digests = new HashSet<>();
        for (String note : new String[] {"aaaa", "bbbb", "aaab", "", null}) {
            insert(one, KEYED, 1, 5, note);
            one.undoLog().commit(1);
            assertThat(digests.add(undone(one, storage -> update(storage, 1, 6, "cccc"))))
                    .as("before: " + note)
                    .isTrue();
            delete(one, 1);
            one.undoLog().commit(2);
        }
        insert(one, KEYED, 1, 5, "aaaa");
        assertThat(digests).contains(undone(one, storage -> update(storage, 1, 6, "cccc")));
        assertThat(digests.add(undone(one, storage -> update(storage, 1, 6, "cccd"))))
                .as("the image after counts too")
                .isTrue();
    }

    @Test
    void aRowWithTheValuesThatItHadCounts() {
        insert(one, KEYED, 1, 5, "note");
        long same = undone(one, storage -> update(storage, 1, 5, "note"));
        assertThat(same).isNotZero();
        update(one, 1, 6, "note");
        assertThat(undone(one, storage -> update(storage, 1, 6, "note"))).isNotEqualTo(same);
    }

    @Test
    void eachKindOfChangeIsAnother() {
        long inserted = digest(one, storage -> insert(storage, KEYED, 1, 5, "note"));
        long updated = undone(one, storage -> update(storage, 1, 5, "note"));
        long deleted = undone(one, storage -> delete(storage, 1));
        assertThat(Set.of(0L, inserted, updated, deleted)).hasSize(4);
        assertThat(undone(one, storage -> {
                    delete(storage, 1);
                    insert(storage, KEYED, 1, 5, "note");
                }))
                .as("a key is changed so, too")
                .isEqualTo(updated);
        assertThat(undone(one, storage -> {
                    insert(storage, KEYED, 2, 5, "note");
                    delete(storage, 2);
                }))
                .as("what came and went")
                .isZero();
    }

    @Test
    void onlyTheChangesOfTheStatementCount() {
        long first = digest(one, storage -> insert(storage, KEYED, 1, 5, "note"));
        long second = digest(one, storage -> update(storage, 1, 6, "longer than before"));
        long third = digest(one, storage -> update(storage, 1, 7, "short"));
        assertThat(digest(other, storage -> insert(storage, KEYED, 1, 5, "note")))
                .isEqualTo(first);
        assertThat(digest(other, storage -> update(storage, 1, 6, "longer than before")))
                .isEqualTo(second);
        assertThat(digest(other, storage -> update(storage, 1, 7, "short"))).isEqualTo(third);
    }

    /** The number of a row without a key says nothing: another transaction may have drawn it. */
    @Test
    void rowsWithoutAKeyCountByTheirValues() {
        insert(other, NUMBERED, 8, 8, "of another transaction");
        assertThat(digest(one, storage -> insert(storage, NUMBERED, 1, 5, "note")))
                .isEqualTo(digest(other, storage -> insert(storage, NUMBERED, 1, 5, "note")));
    }
}
