package dev.fulmar.engine.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.partitioning.BucketMap;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.foundation.data.TypeKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** No two rows of a table without a key ever have one number, whatever is undone. */
class RowNumberUndoTest {
    private final PartitionStorage storage =
            new PartitionStorage(new ChunkSource(new MemoryBudget(24L << 20, "limit")), BucketMap.single(), 1L << 20);
    private final UndoLog undo = storage.undoLog();
    private final Table table =
            new TableFixture(1, "T").column("ID", TypeKind.INTEGER).build();
    private final long[] rows = new long[6];

    @BeforeEach
    void fill() {
        storage.createTable(table);
        for (int number = 1; number < rows.length; number++) {
            rows[number] = store().insert(image(number), undo);
            assertThat(numberOf(rows[number])).isEqualTo(number);
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

    private RowImage image(int id) {
        RowImage image = new RowImage(store().layout());
        image.clear();
        image.setLong(0, id);
        return image;
    }

    private long numberOf(long row) {
        return OffHeap.getLong(row + store().layout().rowNumberOffset());
    }

    private long numberOfTheNext() {
        return numberOf(store().insert(image(9), undo));
    }

    @Test
    void aNumberOfAnUndoneRowIsGivenAgain() {
        assertThat(numberOfTheNext()).isEqualTo(6);
        undo.rollback();
        assertThat(numberOfTheNext()).isEqualTo(6);
    }

    @Test
    void anOlderRowThatIsPutBackAndUndoneGivesItsNumberToNoOther() {
        for (int number : new int[] {2, 5}) {
            store().delete(rows[number], undo);
            assertThat(numberOf(store().insert(image(number), number, undo))).isEqualTo(number);
            undo.rollback();
            assertThat(numberOfTheNext())
                    .as("after row %s was put back", number)
                    .isEqualTo(6);
            undo.rollback();
        }
    }
}
