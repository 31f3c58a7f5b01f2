package dev.fulmar.engine.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.StoredRow;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Images go from one partition to another, and what is no row of the table does not get in. */
class ImageLoadTest {
    private static final int TABLE = 1;
    private static final Table DEFINITION = new TableFixture(TABLE, "T")
            .column("ID", TypeKind.INTEGER)
            .nullable("TEXT", ColumnType.varchar(30))
            .nullable("MORE", ColumnType.varchar(30))
            .primaryKey(0)
            .partitionedOn(0)
            .build();

    private static PartitionStorage storage() {
        PartitionStorage storage = new PartitionStorage(
                new ChunkSource(new MemoryBudget(1L << 28, "memory.limit")),
                PartitionPlan.hash(1).bucketsOf(0, 1),
                64 << 20);
        storage.createTable(DEFINITION);
        storage.marks().start();
        return storage;
    }

    private static void insert(PartitionStorage storage, int id, long timestamp) {
        TableStore store = storage.table(TABLE);
        RowImage image = new RowImage(store.layout());
        image.setLong(0, id);
        byte[] text = ("text " + id).getBytes(StandardCharsets.UTF_8);
        image.setBytes(1, text, 0, text.length);
        if (id % 2 == 0) {
            image.setBytes(2, text, 0, 3);
        }
        store.insert(image, storage.undoLog());
        storage.undoLog().commit(timestamp);
    }

    private static List<byte[]> scan(ImageScan scan) {
        List<byte[]> rows = new ArrayList<>();
        RowBatch batch = new RowBatch(200);
        boolean last = false;
        while (!last) {
            batch.clear();
            last = scan.fill(batch);
            batch.forEach((table, bucket, row, array, offset, length) ->
                    rows.add(Arrays.copyOfRange(array, offset, offset + length)));
        }
        return rows;
    }

    private static List<byte[]> imagesOf(int count) {
        try (PartitionStorage storage = storage()) {
            for (int id = 0; id < count; id++) {
                insert(storage, id, id + 1);
            }
            VersionReader reader = storage.openReader(count, 0);
            reader.readAt(count);
            ImageScan scan = new ImageScan(storage, reader);
            for (int id = 0; id < 5; id++) {
                insert(storage, count + id, count + 1 + id);
            }
            List<byte[]> rows = scan(scan);
            reader.close();
            return rows;
        }
    }

    @Test
    void rowsArriveInOrderAndAreMarkedForTheNextCheckpoint() {
        List<byte[]> images = imagesOf(40);
        assertThat(images).hasSize(40);
        try (PartitionStorage storage = storage()) {
            ImageLoad load = new ImageLoad(storage);
            images.forEach(image -> load.row(TABLE, 0, 0, image, 0, image.length));
            int pieces = 1;
            while (!load.index(7)) {
                pieces++;
            }
            assertThat(pieces).isEqualTo(6);
            assertThat(load.rows()).isEqualTo(40);
            assertThat(TableCheck.defects(storage, List.of(DEFINITION))).isEmpty();
            RowBatch batch = new RowBatch(1 << 20);
            CheckpointScan scan = new CheckpointScan(storage);
            scan.begin(batch);
            assertThat(scan.fill(batch)).isTrue();
            List<byte[]> checkpointed = new ArrayList<>();
            batch.forEach((table, bucket, row, array, offset, length) ->
                    checkpointed.add(Arrays.copyOfRange(array, offset, offset + length)));
            assertThat(checkpointed).hasSize(40);
            for (int row = 0; row < 40; row++) {
                assertThat(checkpointed.get(row)).isEqualTo(images.get(row));
            }
        }
    }

    @Test
    void whatIsNoRowOfTheTableIsRefused() {
        byte[] good = imagesOf(1).getFirst();
        try (PartitionStorage storage = storage()) {
            int accepted = 0;
            Random random = new Random(5);
            for (int i = 0; i < 3_000; i++) {
                byte[] forged = good.clone();
                int place = random.nextInt(forged.length);
                forged[place] = (byte) random.nextInt();
                accepted += StoredRow.isWhole(storage.table(TABLE).layout(), forged, 0, forged.length) ? 1 : 0;
                for (int at = 0; at + Integer.BYTES <= forged.length && i == 0; at++) {
                    assertOffsetsHold(storage, good, at);
                }
            }
            assertThat(accepted).as("other values are fine").isBetween(100, 2_990);
            ImageLoad load = new ImageLoad(storage);
            for (int length = 0; length < good.length; length++) {
                refused(load, 0, Arrays.copyOf(good, length));
            }
            refused(load, 0, Arrays.copyOf(good, good.length + 1));
            refused(load, 7, good);
            refused(load, -1, good);
            assertThat(storage.table(TABLE).rowCount()).isZero();
        }
    }

    /** Whatever number stands anywhere in a row, all that is read of it lies within its bytes. */
    private static void assertOffsetsHold(PartitionStorage storage, byte[] good, int at) {
        for (int number : new int[] {-1, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            byte[] forged = good.clone();
            LittleEndian.putInt(forged, at, number);
            TableStore store = storage.table(TABLE);
            if (!StoredRow.isWhole(store.layout(), forged, 0, forged.length)) {
                continue;
            }
            try (PartitionStorage other = storage()) {
                ImageLoad load = new ImageLoad(other);
                load.row(TABLE, 0, 0, forged, 0, forged.length);
                TableStore filled = other.table(TABLE);
                ScanCursor cursor = filled.newScan();
                filled.open(cursor);
                long row = cursor.next();
                for (int column = 1; column <= 2; column++) {
                    int length = filled.layout().bytesLength(row, column);
                    assertThat(filled.layout().bytesOffset(row, column)).isBetween(0, good.length);
                    assertThat(length).isBetween(0, good.length);
                }
            }
        }
    }

    private static void refused(ImageLoad load, int bucket, byte[] image) {
        assertThatThrownBy(() -> load.row(TABLE, bucket, 0, image, 0, image.length))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_REQUEST));
    }

    @Test
    void aDroppedTableEndsTheScan() {
        try (PartitionStorage storage = storage()) {
            insert(storage, 1, 1);
            VersionReader reader = storage.openReader(1, 0);
            reader.readAt(1);
            ImageScan scan = new ImageScan(storage, reader);
            storage.dropTable(TABLE);
            RowBatch batch = new RowBatch(200);
            assertThatThrownBy(() -> scan.fill(batch))
                    .isInstanceOfSatisfying(
                            FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TRANSACTION_RESTART));
        }
    }
}
