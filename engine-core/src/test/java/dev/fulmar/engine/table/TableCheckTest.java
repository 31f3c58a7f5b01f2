package dev.fulmar.engine.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partitioning.BucketMap;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TableCheckTest {
    private static final int ROWS = 300;

    private final PartitionStorage storage =
            new PartitionStorage(new ChunkSource(new MemoryBudget(24L << 20, "limit")), BucketMap.single(), 1L << 20);
    private final UndoLog undo = storage.undoLog();
    private final Table table = new TableFixture(1, "T")
            .column("ID", TypeKind.INTEGER)
            .nullable("NUMBER", ColumnType.of(TypeKind.BIGINT))
            .primaryKey(0)
            .index("BY_NUMBER", IndexKind.ORDERED, false, false, ~1)
            .index("NUMBER_HASH", IndexKind.HASH, true, false, 1)
            .build();
    private final List<Long> rows = new ArrayList<>();

    @BeforeEach
    void fill() {
        storage.createTable(table);
        RowImage image = new RowImage(store().layout());
        for (int id = 0; id < ROWS; id++) {
            image.clear();
            image.setLong(0, id);
            if (id % 3 != 0) {
                image.setLong(1, 1000 - id);
            }
            rows.add(store().insert(image, undo));
        }
        undo.commit(1);
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private TableStore store() {
        return storage.table(1);
    }

    private List<String> defects() {
        return TableCheck.defects(storage, List.of(table));
    }

    private TableIndex index(String name) {
        return store().indexes().stream()
                .filter(index -> index.definition().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void rightTablesHaveNoDefects() {
        assertThat(defects()).isEmpty();
        store().delete(rows.get(17), undo);
        undo.commit(2);
        assertThat(defects()).isEmpty();
    }

    @Test
    void entriesThatWereKeptForReadersAreNoDefects() {
        undo.retain();
        VersionReader reader = storage.horizon().register(1, 0);
        rows.forEach(row -> store().delete(row, undo));
        undo.commit(2);
        assertThat(defects()).as("while a reader reads").isEmpty();
        reader.close();
        assertThat(defects()).as("before the versions are given back").isEmpty();
        undo.reclaimAll();
        assertThat(undo.isRetaining()).isFalse();
        assertThat(defects()).isEmpty();
    }

    @Test
    void aMissingEntryIsFoundInEveryKindOfIndex() {
        for (String name : List.of("PK_HASH", "PK_TREE", "BY_NUMBER", "NUMBER_HASH")) {
            index(name).remove(0, rows.get(100));
            assertThat(defects()).as(name).isNotEmpty().allMatch(defect -> defect.contains(name));
            index(name).addCopy(0, rows.get(100));
            assertThat(defects()).as(name).isEmpty();
        }
    }

    @Test
    void anEntryOfADeletedRowIsFound() {
        long row = rows.get(100);
        store().delete(row, undo);
        undo.commit(2);
        index("PK_TREE").addCopy(0, row);
        assertThat(defects()).isNotEmpty().allMatch(defect -> defect.contains("PK_TREE"));
        index("PK_TREE").remove(0, row);
    }

    @Test
    void aWrongCountIsFound() {
        store().bucket(0).countRows(1);
        assertThat(defects()).singleElement().asString().contains("counts 301 rows and has 300");
        store().bucket(0).countRows(-1);
    }

    @Test
    void aMissingTableIsFound() {
        Table other =
                new TableFixture(2, "OTHER").column("ID", TypeKind.INTEGER).build();

        assertThat(TableCheck.defects(storage, List.of(other)))
                .singleElement()
                .asString()
                .contains("OTHER");
    }
}
