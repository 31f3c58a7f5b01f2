package dev.fulmar.engine.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.foundation.data.TypeKind;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The keys of few rows, which leave a large bucket before it. */
class BucketSampleTest {
    private static final int TABLE = 1;
    private static final int KEYS = 40_000;

    private final PartitionStorage storage = new PartitionStorage(
            new ChunkSource(new MemoryBudget(256L << 20, "memory.limit")),
            PartitionPlan.ranges(0, KEYS).bucketsOf(0, 1),
            8L << 20);

    @AfterEach
    void close() {
        storage.close();
    }

    /** Returns the bucket that has the rows. */
    private int fill(int rows, int keys) {
        storage.createTable(new TableFixture(TABLE, "T")
                .column("K", TypeKind.INTEGER)
                .partitionedOn(0)
                .build());
        TableStore store = storage.table(TABLE);
        RowImage image = new RowImage(store.layout());
        for (int row = 0; row < rows; row++) {
            image.clear();
            image.setLong(0, row % keys);
            store.insert(image, storage.undoLog());
        }
        storage.undoLog().commit(5);
        return storage.bucketBounds().buckets().first();
    }

    private static List<KeyRange> integers(long first, long last) {
        return List.of(new KeyRange(KeySpace.INTEGER, first, last), KeyRange.from(KeySpace.HASH, 0));
    }

    @Test
    void theyAreChosenAmongThoseThatLeave() {
        int number = fill(1_000, 1_000);
        for (int first = 0; first < 1_000; first += 100) {
            List<KeyRange> leaves = integers(first, 999);
            KeyRange few = BucketCut.few(storage, number, leaves).orElseThrow();
            assertThat(KeyRange.common(List.of(few), leaves)).containsExactly(few);
            assertThat(few.last() - few.first() + 1).isBetween(1L, 1_000L / 8);
        }
        assertThat(BucketCut.few(storage, number, integers(1_000, 1_009))).isEmpty();
    }

    /** As the rows of a warehouse. */
    @Test
    void keysWithManyRowsEachAreNone() {
        int number = fill(5_000, 3);
        assertThat(BucketCut.few(storage, number, storage.bucketBounds().rangesOf(number)))
                .isEmpty();
    }

    /** A table of so many rows that each of the sample stands for more than may leave. */
    @Test
    void theyLieBetweenTwoOfTheSample() {
        int number = fill(KEYS, KEYS);
        BucketSample sample = new BucketSample(KeySpace.INTEGER);
        sample.add(storage.table(TABLE), number);
        KeyRange few = sample.few(20, integers(0, KEYS - 1)).orElseThrow();
        assertThat(few.last() - few.first() + 1).isBetween(10L, 20L);
    }
}
