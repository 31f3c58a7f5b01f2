package dev.fulmar.engine.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partition.StorageUndo;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.engine.version.VersionLimits;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What versions take, when readers are expired for it, and that all of it comes back. */
class VersionMemoryTest {
    private static final int TABLE = 1;
    private static final int ROWS = 500;
    private static final long CAP = 1 << 20;

    /** The log had a page before. */
    private static final long PAGE_BYTES = 64 << 10;

    private final PartitionStorage storage = new PartitionStorage(
            new ChunkSource(new MemoryBudget(1L << 30, "memory.limit")),
            PartitionPlan.hash(1).bucketsOf(0, 2),
            64 << 20,
            new VersionLimits(CAP));
    private final UndoLog undo = storage.undoLog();
    private final TableStore store;
    private final RowImage image;
    private long clock;

    VersionMemoryTest() {
        storage.createTable(new TableFixture(TABLE, "T")
                .column("K", TypeKind.INTEGER)
                .column("TEXT", ColumnType.varchar(200))
                .partitionedOn(0)
                .primaryKey(0)
                .build());
        store = storage.table(TABLE);
        image = new RowImage(store.layout());
    }

    @BeforeEach
    void fill() {
        for (int key = 0; key < ROWS; key++) {
            fill(key, 'a');
            store.insert(image, undo);
        }
        undo.commit(++clock);
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private void fill(int key, char letter) {
        byte[] text = new byte[100];
        Arrays.fill(text, (byte) letter);
        image.clear();
        image.setLong(0, key);
        image.setBytes(1, text, 0, text.length);
    }

    private void update(int key) {
        TableIndex index = store.primaryIndex();
        fill(key, (char) ('a' + clock % 26));
        store.update(index.find(index.newKey().reset().addLong(key)), image, store.updateShape(1), undo);
        undo.commit(++clock);
    }

    @Test
    void withoutReadersNothingIsKept() {
        long before = storage.usedBytes();
        for (int key = 0; key < ROWS; key++) {
            update(key);
        }
        assertThat(undo.isRetaining()).isFalse();
        assertThat(undo.heldBytes()).isZero();
        assertThat(storage.usedBytes()).isEqualTo(before);
    }

    @Test
    void whatReadersNeededComesBackToTheByte() {
        update(0);
        long before = storage.usedBytes();
        VersionReader reader = storage.openReader(clock, 0);
        for (int key = 0; key < ROWS; key++) {
            update(key);
        }
        assertThat(undo.heldBytes()).isBetween(ROWS * 200L, ROWS * 500L);
        assertThat(storage.usedBytes()).isGreaterThanOrEqualTo(before + undo.heldBytes() - PAGE_BYTES);
        reader.close();
        StorageUndo port = new StorageUndo(undo);
        int turns = 0;
        while (port.reclaim()) {
            turns++;
        }
        // In bounded portions, and completely.
        assertThat(turns).isGreaterThan(1);
        assertThat(undo.isRetaining()).isFalse();
        assertThat(undo.heldBytes()).isZero();
        assertThat(storage.usedBytes()).isEqualTo(before);
    }

    @Test
    void commitsAloneBringItBack() {
        long before = storage.usedBytes();
        VersionReader reader = storage.openReader(clock, 0);
        for (int key = 0; key < ROWS; key++) {
            update(key);
        }
        reader.close();
        for (int key = 0; key < ROWS; key++) {
            update(key);
        }
        assertThat(undo.isRetaining()).isFalse();
        assertThat(storage.usedBytes()).isEqualTo(before);
    }

    @Test
    void theOldestReaderIsExpiredBeforeTheCapAndWritersGoOn() {
        VersionReader oldest = storage.openReader(clock, 0);
        oldest.readAt(clock);
        update(1);
        VersionReader younger = storage.openReader(clock, 0);
        long most = 0;
        int updates = 0;
        while (!oldest.isExpired()) {
            update(updates++ % ROWS);
            most = Math.max(most, undo.heldBytes());
        }
        assertThat(most).isBetween(CAP / 2, CAP);
        update(0);
        assertThat(younger.isExpired())
                .as("it needs all but one of the same versions")
                .isTrue();
        assertThatThrownBy(oldest::checkAlive).isInstanceOfSatisfying(FulmarException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD);
            assertThat(e).hasMessageContaining("try again");
        });
        VersionReader next = storage.openReader(clock, 0);
        next.readAt(clock);
        for (int i = 0; i < 2 * ROWS; i++) {
            update(i % ROWS);
            most = Math.max(most, undo.heldBytes());
        }
        assertThatCode(next::checkAlive).doesNotThrowAnyException();
        assertThat(most).isLessThan(CAP);
        assertThat(storage.horizon().expired()).isEqualTo(2);
        next.close();
    }

    @Test
    void aReaderBeginsAnewWhereATableIsDropped() {
        int other = TABLE + 1;
        storage.createTable(new TableFixture(other, "U")
                .column("K", TypeKind.INTEGER)
                .partitionedOn(0)
                .primaryKey(0)
                .build());
        VersionReader reader = storage.openReader(clock, 0);
        reader.readAt(clock);
        update(1);
        storage.dropTable(other);
        assertThat(reader.isExpired()).isTrue();
        assertThatThrownBy(reader::checkAlive)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TRANSACTION_RESTART));
    }

    @Test
    void aReaderThatNeedsLittleOutlivesOneThatNeedsMuch() {
        VersionReader oldest = storage.openReader(clock, 0);
        oldest.readAt(clock);
        while (undo.heldBytes() < CAP * 7 / 10) {
            update((int) (clock % ROWS));
        }
        VersionReader younger = storage.openReader(clock, 0);
        younger.readAt(clock);
        while (!oldest.isExpired()) {
            update((int) (clock % ROWS));
        }
        assertThat(younger.isExpired()).isFalse();
        assertThat(storage.horizon().oldest()).isSameAs(younger);
        assertThat(storage.horizon().timestamp()).isEqualTo(younger.timestamp());
        younger.close();
        oldest.close();
    }

    @Test
    void aReaderReadsNothingOlderThanItsRegistration() {
        try (VersionReader reader = storage.openReader(clock, 0)) {
            assertThatThrownBy(() -> reader.readAt(clock - 1)).isInstanceOf(FulmarException.class);
            reader.readAt(clock + 1);
            assertThatThrownBy(() -> reader.readAt(clock)).isInstanceOf(FulmarException.class);
        }
    }
}
