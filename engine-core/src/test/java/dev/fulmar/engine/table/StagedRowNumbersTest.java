package dev.fulmar.engine.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.checkpoint.BoundsRow;
import dev.fulmar.engine.checkpoint.RowNumberRows;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowChunk;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A bucket is staged, and its destination is restored before the hand-off. Rows that come afterwards have the numbers
 * that they would have had, although rows with the highest numbers were deleted at the source. Else a call that is
 * replayed from the log changes other rows than before.
 */
class StagedRowNumbersTest {
    private static final int NUMBERED = 1;
    private static final int REPLICATED = 2;
    private static final int KEYS = 100;
    private static final int ROWS = 10;
    private static final long MOVE = 1;

    private final MemoryBudget budget = new MemoryBudget(64L << 20, "memory.limit");
    private final ChunkSource memory = new ChunkSource(budget);
    private final PartitionPlan plan = PartitionPlan.ranges(0, KEYS);
    private final List<PartitionStorage> all = new ArrayList<>();
    private final PartitionStorage source = partition(0);
    private final PartitionStorage target = partition(1);
    private long timestamp = 1;

    private PartitionStorage partition(int number) {
        PartitionStorage made = new PartitionStorage(memory, plan.bucketsOf(number, 1), 8L << 20);
        made.createTable(fixture(NUMBERED).partitionedOn(0).build());
        made.createTable(fixture(REPLICATED).build());
        all.add(made);
        return made;
    }

    private static TableFixture fixture(int id) {
        return new TableFixture(id, "T" + id).column("K", TypeKind.INTEGER);
    }

    @AfterEach
    void everythingIsGivenBack() {
        all.forEach(PartitionStorage::close);
        assertThat(budget.usedBytes()).isZero();
    }

    /** Inserts a row, and returns its number. */
    private long insert(PartitionStorage storage, int table, int key) {
        TableStore store = storage.table(table);
        RowImage image = new RowImage(store.layout());
        image.clear();
        image.setLong(0, key);
        long row = store.insert(image, storage.undoLog());
        storage.undoLog().commit(timestamp++);
        return OffHeap.getLong(row + store.layout().rowNumberOffset());
    }

    private void deleteAllBut(int rows) {
        TableStore store = source.table(NUMBERED);
        ScanCursor cursor = store.newScan();
        cursor.open();
        List<Long> found = new ArrayList<>();
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            found.add(row);
        }
        found.subList(rows, found.size()).forEach(row -> store.delete(row, source.undoLog()));
        source.undoLog().commit(timestamp++);
    }

    /** Stages the source's bucket, of which some rows are left, at the destination. */
    private void stage(int rowsLeft) {
        for (int key = 0; key < ROWS; key++) {
            assertThat(insert(source, NUMBERED, key)).isEqualTo(key + 1);
            insert(target, REPLICATED, key);
        }
        insert(target, NUMBERED, KEYS + 1);
        deleteAllBut(rowsLeft);
        BucketExtraction extraction =
                source.moves().extract(MOVE, source.bucketBounds().buckets().first());
        RowChunk chunk = new RowChunk(Integer.MAX_VALUE);
        assertThat(extraction.fill(chunk, Integer.MAX_VALUE)).isTrue();
        source.moves().endExtraction(MOVE);
        target.moves().stage(MOVE, target.moves().freeNumber()).take(chunk.toByteArray());
    }

    private void handOver(PartitionStorage storage) {
        int bucket = source.bucketBounds().buckets().first();
        storage.moves().handOver(new HandOff(MOVE, 0, 1, bucket, 1, 0, plan.rangesOf(0)), 1, timestamp++);
    }

    private void assertNextNumbers(PartitionStorage storage) {
        assertThat(insert(storage, NUMBERED, 7)).as("of the bucket that came").isEqualTo(ROWS + 1);
        assertThat(insert(storage, NUMBERED, KEYS + 2))
                .as("of the bucket that was there")
                .isEqualTo(2);
        assertThat(insert(storage, REPLICATED, 7))
                .as("of a table on all partitions")
                .isEqualTo(ROWS + 1);
    }

    /** The rows of the destination, with the layout of its buckets and its row numbers, as others are to have them. */
    private RowBatch saved(PartitionStorage storage) {
        RowBatch batch = new RowBatch(1 << 20);
        BoundsRow.add(storage.moves().layout(), batch);
        RowNumberRows numbers = new RowNumberRows(storage);
        numbers.begin();
        assertThat(numbers.fill(batch)).isTrue();
        VersionReader reader = storage.openReader(timestamp, 0);
        reader.readAt(timestamp);
        ImageScan scan = new ImageScan(storage, reader);
        while (!scan.fill(batch)) {
            assertThat(batch.isFull()).isFalse();
        }
        reader.close();
        return batch;
    }

    @Test
    void theBucketGoesOnWithItsNumbers() {
        stage(2);
        handOver(target);
        assertNextNumbers(target);
    }

    @Test
    void aCheckpointHasThem() {
        for (int rowsLeft = 0; rowsLeft < 3; rowsLeft++) {
            StagedRowNumbersTest one = new StagedRowNumbersTest();
            one.stage(rowsLeft);
            PartitionStorage restored = one.fromCheckpoint(one.saved(one.target));
            assertThat(one.numbers(restored)).isEqualTo(one.numbers(one.target));
            one.handOver(restored);
            one.assertNextNumbers(restored);
            one.everythingIsGivenBack();
        }
    }

    @Test
    void anImageForACopyHasThem() {
        for (int rowsLeft = 0; rowsLeft < 3; rowsLeft++) {
            StagedRowNumbersTest one = new StagedRowNumbersTest();
            one.stage(rowsLeft);
            PartitionStorage copy = one.fromImage(one.saved(one.target));
            assertThat(one.numbers(copy)).isEqualTo(one.numbers(one.target));
            one.handOver(copy);
            one.assertNextNumbers(copy);
            one.everythingIsGivenBack();
        }
    }

    private List<String> numbers(PartitionStorage storage) {
        List<String> numbers = new ArrayList<>();
        storage.visitRowNumbers((table, bucket, next) -> numbers.add(table + " " + bucket + " " + next));
        numbers.sort(Comparator.naturalOrder());
        return numbers;
    }

    private PartitionStorage fromCheckpoint(RowBatch batch) {
        PartitionStorage restored = partition(1);
        RowNumberRows numbers = new RowNumberRows(restored);
        batch.forEach((table, bucket, row, array, offset, length) -> {
            switch (table) {
                case BoundsRow.TABLE -> BoundsRow.restore(restored, array, offset, length);
                case RowNumberRows.TABLE -> numbers.restore(bucket, row, array, offset);
                default -> new RestoredBuckets(restored).row(table, bucket, row, array, offset, length);
            }
        });
        restored.finishRestore();
        numbers.finishRestore();
        return restored;
    }

    private PartitionStorage fromImage(RowBatch batch) {
        PartitionStorage copy = partition(1);
        RowNumberRows numbers = new RowNumberRows(copy);
        ImageLoad load = new ImageLoad(copy);
        batch.forEach((table, bucket, row, array, offset, length) -> {
            switch (table) {
                case BoundsRow.TABLE -> BoundsRow.restore(copy, array, offset, length);
                case RowNumberRows.TABLE -> numbers.restore(bucket, row, array, offset);
                default -> load.row(table, bucket, row, array, offset, length);
            }
        });
        assertThat(load.index(Integer.MAX_VALUE)).isTrue();
        numbers.finishRestore();
        return copy;
    }
}
