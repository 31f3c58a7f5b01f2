package dev.fulmar.engine.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.checkpoint.BoundsRow;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowChunk;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** A bucket is copied to another partition while transactions change it. */
class BucketExtractionTest {
    private static final int KEYED = 1;
    private static final int NUMBERED = 2;
    private static final int KEYS = 400;
    private static final long LIMIT_BYTES = 64L << 20;

    private final MemoryBudget budget = new MemoryBudget(LIMIT_BYTES, "memory.limit");
    private final ChunkSource memory = new ChunkSource(budget);
    private final PartitionPlan plan = PartitionPlan.ranges(0, KEYS);
    private final PartitionStorage source = partition(0);
    private final PartitionStorage target = partition(1);
    private long timestamp = 1;
    private long move;

    private PartitionStorage partition(int number) {
        PartitionStorage made = new PartitionStorage(memory, plan.bucketsOf(number, 1), 8L << 20);
        made.createTable(table(KEYED));
        made.createTable(table(NUMBERED));
        return made;
    }

    /** A key of the first table is in a unique index twice, so a stale row of it is in the way of a new one. */
    private static Table table(int id) {
        TableFixture fixture = new TableFixture(id, "T" + id)
                .column("K", TypeKind.INTEGER)
                .nullable("TEXT", ColumnType.varchar(200))
                .partitionedOn(0);
        return id == KEYED
                ? fixture.primaryKey(0)
                        .index("BY_TEXT", IndexKind.ORDERED, false, false, 1)
                        .index("TWICE", IndexKind.ORDERED, true, false, 0, 1)
                        .build()
                : fixture.build();
    }

    @AfterEach
    void everythingIsGivenBack() {
        source.close();
        target.close();
        assertThat(budget.usedBytes()).isZero();
    }

    private static int bucketOf(PartitionStorage storage) {
        return storage.bucketBounds().buckets().first();
    }

    private RowImage image(PartitionStorage storage, int table, int key, int textBytes) {
        RowImage image = new RowImage(storage.table(table).layout());
        image.clear();
        image.setLong(0, key);
        byte[] text = new byte[textBytes];
        Arrays.fill(text, (byte) ('a' + key % 26));
        image.setBytes(1, text, 0, text.length);
        return image;
    }

    private void insert(int table, int key, int textBytes) {
        source.table(table).insert(image(source, table, key, textBytes), source.undoLog());
    }

    private void commit() {
        source.undoLog().commit(timestamp++);
    }

    private static List<Long> rows(PartitionStorage storage, int table) {
        List<Long> rows = new ArrayList<>();
        ScanCursor cursor = storage.table(table).newScan();
        cursor.open();
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            rows.add(row);
        }
        return rows;
    }

    /** A line for each row: key, text, timestamp and number. */
    private static List<String> lines(PartitionStorage storage, int table) {
        RowLayout layout = storage.table(table).layout();
        return rows(storage, table).stream()
                .map(row -> layout.getLong(row, 0) + " "
                        + text(layout, row)
                        + " " + RowLayout.commitTimestamp(row)
                        + (layout.hasRowNumber() ? " " + OffHeap.getLong(row + layout.rowNumberOffset()) : ""))
                .sorted()
                .toList();
    }

    private static String text(RowLayout layout, long row) {
        byte[] bytes = new byte[layout.bytesLength(row, 1)];
        OffHeap.copy(layout.bytesAddress(row, 1), bytes, 0, bytes.length);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    /** A transaction of some changes, of which some are undone. */
    private void transaction(SeededRandom random) {
        for (int change = 1 + random.nextInt(6); change > 0; change--) {
            int table = random.nextInt(2) == 0 ? KEYED : NUMBERED;
            List<Long> rows = rows(source, table);
            int kind = rows.isEmpty() ? 0 : random.nextInt(3);
            long row = rows.isEmpty() ? 0 : rows.get(random.nextInt(rows.size()));
            TableStore store = source.table(table);
            switch (kind) {
                case 0 -> insertIfNew(table, random.nextInt(KEYS), random.nextInt(60));
                case 1 -> {
                    int key = (int) store.layout().getLong(row, 0);
                    store.update(
                            row,
                            image(source, table, key, random.nextInt(150)),
                            store.updateShape(1),
                            source.undoLog());
                }
                default -> {
                    int key = (int) store.layout().getLong(row, 0);
                    store.delete(row, source.undoLog());
                    if (random.nextInt(2) == 0) {
                        insertIfNew(table, key, random.nextInt(60));
                    }
                }
            }
        }
        if (random.nextInt(4) == 0) {
            source.undoLog().rollback();
        }
        commit();
    }

    private void insertIfNew(int table, int key, int textBytes) {
        try {
            insert(table, key, textBytes);
        } catch (FulmarException taken) {
            assertThat(taken.code()).isEqualTo(ErrorCode.UNIQUE_VIOLATION);
        }
    }

    private BucketStaging stage() {
        return target.moves().stage(++move, target.moves().freeNumber());
    }

    private HandOff handOff(BucketStaging staging) {
        return new HandOff(staging.move(), 0, 1, bucketOf(source), staging.chunks(), 0, plan.rangesOf(0));
    }

    private void drop(BucketStaging staging) {
        target.moves().drop(staging.move());
        target.freeGone();
    }

    private void attach(BucketStaging staging) {
        target.moves().handOver(handOff(staging), 1, timestamp);
        for (int table = KEYED; table <= NUMBERED; table++) {
            assertThat(lines(target, table)).isEqualTo(lines(source, table));
            StoreVerifier verifier = new StoreVerifier(target.table(table), false, restoring -> false);
            verifier.verifyRows();
            verifier.verifyIndexes();
        }
    }

    @RepeatedTest(100)
    void theStagedBucketBecomesOneOfThePartition(RepetitionInfo repetition) {
        SeededRandom random = new SeededRandom(1_000 + repetition.getCurrentRepetition());
        for (int i = random.nextInt(60); i > 0; i--) {
            transaction(random);
        }
        VersionReader reader = random.nextInt(2) == 0 ? source.openReader(timestamp, 0) : null;
        BucketExtraction extraction = source.moves().extract(1, bucketOf(source));
        BucketStaging staging = stage();
        RowChunk chunk = new RowChunk(1 + random.nextInt(500));
        int transactions = 150;
        boolean isWhole = false;
        while (!isWhole || transactions > 0) {
            for (int i = Math.min(transactions, random.nextInt(3)); i > 0; i--) {
                transaction(random);
                transactions--;
            }
            isWhole = extraction.fill(chunk, 1 + random.nextInt(30));
            staging.take(chunk.toByteArray());
            chunk.clear();
        }
        source.moves().endExtraction(1);
        assertThat(rows(target, KEYED)).as("nobody sees staged rows").isEmpty();
        attach(staging);
        if (reader != null) {
            reader.close();
        }
        long key = 7;
        TableIndex primary = target.table(KEYED).primaryIndex();
        SearchKey search = primary.newKey();
        search.reset();
        search.addLong(key);
        assertThat(primary.find(search) != 0)
                .isEqualTo(lines(source, KEYED).stream().anyMatch(line -> line.startsWith(key + " ")));
        int rows = rows(target, NUMBERED).size();
        target.table(NUMBERED).insert(image(target, NUMBERED, 7, 3), target.undoLog());
        target.undoLog().commit(timestamp);
        assertThat(lines(target, NUMBERED).stream().map(line -> line.substring(line.lastIndexOf(' '))))
                .doesNotHaveDuplicates()
                .hasSize(rows + 1);
    }

    @Test
    void aRowThatHasChangedGoesBeforeAnyOtherComes() {
        for (int key = 0; key < 50; key++) {
            insert(KEYED, key, 10);
            insert(NUMBERED, key, 10);
        }
        commit();
        BucketExtraction extraction = source.moves().extract(1, bucketOf(source));
        RowChunk chunk = new RowChunk(Integer.MAX_VALUE);
        assertThat(extraction.fill(chunk, Integer.MAX_VALUE)).isTrue();
        for (int table = KEYED; table <= NUMBERED; table++) {
            List<Long> rows = rows(source, table);
            for (int key = 0; key < 50; key += 3) {
                source.table(table).delete(rows.get(key), source.undoLog());
                insert(table, key, 20);
            }
        }
        commit();
        List<String> kinds = new ArrayList<>();
        boolean isWhole = false;
        while (!isWhole) {
            chunk.clear();
            isWhole = extraction.fill(chunk, 5);
            assertThat(extraction.remainingSlots() == 0).isEqualTo(isWhole);
            RowChunk.read(chunk.toByteArray(), recording(kinds));
        }
        source.moves().endExtraction(1);
        assertThat(kinds).containsOnly("gone", "row", "number");
        assertThat(kinds.lastIndexOf("gone")).isEqualTo(33).isLessThan(kinds.indexOf("row"));
        assertThat(kinds.lastIndexOf("row")).isEqualTo(67);
    }

    /** Some rows change with every chunk: others do not wait for them, and all have their turns. */
    @Test
    void rowsThatChangeOftenAreCopiedAgainOnceTheOthersAre() {
        for (int key = 0; key < 50; key++) {
            insert(KEYED, key, 10);
        }
        commit();
        BucketExtraction extraction = source.moves().extract(1, bucketOf(source));
        List<String> first = new ArrayList<>();
        for (int chunks = 0; chunks < 6; chunks++) {
            changeFirst(4);
            first.addAll(kindsOf(extraction, 9));
        }
        assertThat(first.stream().filter("row"::equals)).as("all rows, once").hasSize(50);
        assertThat(first.stream().filter("gone"::equals)).hasSize(4);

        changeFirst(4);
        assertThat(kindsOf(extraction, 2)).containsExactly("row", "row");
        changeFirst(4);
        assertThat(kindsOf(extraction, 4))
                .as("two go, and the other two come")
                .containsExactly("gone", "gone", "row", "row");
        assertThat(extraction.remainingSlots()).isEqualTo(2);
        assertThat(kindsOf(extraction, 2)).containsExactly("row", "row", "number");
        source.moves().endExtraction(1);
    }

    private static List<String> kindsOf(BucketExtraction extraction, int mostSlots) {
        RowChunk chunk = new RowChunk(Integer.MAX_VALUE);
        List<String> kinds = new ArrayList<>();
        extraction.fill(chunk, mostSlots);
        RowChunk.read(chunk.toByteArray(), recording(kinds));
        return kinds;
    }

    private void changeFirst(int count) {
        List<Long> rows = rows(source, KEYED);
        TableStore store = source.table(KEYED);
        for (int i = 0; i < count; i++) {
            int key = (int) store.layout().getLong(rows.get(i), 0);
            store.update(rows.get(i), image(source, KEYED, key, 10), store.updateShape(1), source.undoLog());
        }
        commit();
    }

    private static RowChunk.Reader recording(List<String> kinds) {
        return new RowChunk.Reader() {
            @Override
            public void row(int table, long slot, byte[] array, int offset, int length) {
                kinds.add("row");
            }

            @Override
            public void gone(int table, long slot) {
                kinds.add("gone");
            }

            @Override
            public void nextNumber(int table, long number) {
                kinds.add("number");
            }
        };
    }

    @Test
    void memoryThatRunsOutLeavesNothing() {
        for (int key = 0; key < KEYS; key++) {
            insert(KEYED, key, 150);
        }
        commit();
        BucketExtraction extraction = source.moves().extract(1, bucketOf(source));
        RowChunk chunk = new RowChunk(Integer.MAX_VALUE);
        assertThat(extraction.fill(chunk, Integer.MAX_VALUE)).isTrue();
        source.moves().endExtraction(1);
        byte[] rows = chunk.toByteArray();
        List<BucketStaging> stagings = new ArrayList<>();
        FulmarException refused = null;
        while (refused == null) {
            BucketStaging staging = stage();
            stagings.add(staging);
            try {
                staging.take(rows);
            } catch (FulmarException full) {
                refused = full;
            }
        }
        assertThat(refused.code()).isEqualTo(ErrorCode.MEMORY_LIMIT);
        stagings.forEach(this::drop);
        BucketStaging last = stage();
        last.take(rows);
        attach(last);
    }

    @Test
    void anotherShapeEndsTheExtraction() {
        insert(KEYED, 1, 10);
        commit();
        BucketExtraction extraction = source.moves().extract(1, bucketOf(source));
        source.createTable(new TableFixture(3, "T3")
                .column("K", TypeKind.INTEGER)
                .partitionedOn(0)
                .build());
        assertThat(extraction.isOutdated()).isTrue();
        assertThatThrownBy(() -> extraction.fill(new RowChunk(100), 100))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TRANSACTION_RESTART));
        source.moves().endExtraction(1);
    }

    @Test
    void aChunkThatFitsNothingIsRefused() {
        insert(KEYED, 1, 10);
        insert(NUMBERED, 1, 10);
        commit();
        BucketExtraction extraction = source.moves().extract(1, bucketOf(source));
        RowChunk chunk = new RowChunk(Integer.MAX_VALUE);
        assertThat(extraction.fill(chunk, Integer.MAX_VALUE)).isTrue();
        source.moves().endExtraction(1);
        byte[] good = chunk.toByteArray();
        for (int length = 1; length < good.length; length++) {
            byte[] shorter = Arrays.copyOf(good, length);
            BucketStaging staging = stage();
            refuseOrTake(staging, shorter);
            drop(staging);
        }
        SeededRandom random = new SeededRandom(3);
        for (int i = 0; i < 3_000; i++) {
            byte[] forged = good.clone();
            forged[random.nextInt(forged.length)] = (byte) random.nextInt(256);
            BucketStaging staging = stage();
            refuseOrTake(staging, forged);
            drop(staging);
        }
        BucketStaging staging = stage();
        staging.take(good);
        assertThatThrownBy(() -> staging.take(good)).hasMessageContaining("has a row already");
    }

    private static void refuseOrTake(BucketStaging staging, byte[] chunk) {
        try {
            staging.take(chunk);
        } catch (FulmarException refused) {
            // A slot far behind the others needs memory for all slots before it.
            assertThat(refused.code()).isIn(ErrorCode.CORRUPTION, ErrorCode.MEMORY_LIMIT);
        }
    }

    /** A copy that is built has the staged rows at their places, so it takes the chunks that follow. */
    @Test
    void anImageHasStagedRows() {
        for (int key = 0; key < KEYS; key++) {
            insert(KEYED, key, 10);
            insert(NUMBERED, key, 20);
        }
        commit();
        BucketExtraction extraction = source.moves().extract(1, bucketOf(source));
        BucketStaging staging = stage();
        RowChunk chunk = new RowChunk(1_000);
        for (int i = 0; i < 3; i++) {
            extraction.fill(chunk, Integer.MAX_VALUE);
            staging.take(chunk.toByteArray());
            chunk.clear();
        }
        for (long row : rows(source, NUMBERED).subList(0, KEYS / 2)) {
            source.table(NUMBERED).delete(row, source.undoLog());
        }
        commit();
        VersionReader reader = target.openReader(0, 0);
        reader.readAt(0);
        PartitionStorage copy = copyOf(target, reader);
        assertThat(target.moves().isHeld()).isTrue();
        assertThat(copy.moves().layout()).isEqualTo(target.moves().layout());
        reader.close();
        target.undoLog().reclaimAll();
        assertThat(target.moves().isHeld()).isFalse();
        BucketStaging copied = Objects.requireNonNull(copy.moves().staging(staging.move()));
        assertThat(copied.rowCount()).isPositive().isEqualTo(staging.rowCount());
        boolean isOver = false;
        while (!isOver) {
            chunk.clear();
            isOver = extraction.fill(chunk, Integer.MAX_VALUE);
            staging.take(chunk.toByteArray());
            copied.take(chunk.toByteArray());
        }
        source.moves().endExtraction(1);
        attach(staging);
        copy.moves().handOver(handOff(copied), 1, timestamp);
        assertThat(lines(copy, KEYED)).isEqualTo(lines(source, KEYED));
        assertThat(lines(copy, NUMBERED)).isEqualTo(lines(source, NUMBERED));
        copy.close();
    }

    private PartitionStorage copyOf(PartitionStorage original, VersionReader reader) {
        BoundsRow bounds = new BoundsRow(original, null);
        bounds.begin();
        ImageScan scan = new ImageScan(original, reader);
        RowBatch batch = new RowBatch(1 << 20);
        bounds.fill(batch);
        boolean isOver = false;
        while (!isOver) {
            isOver = scan.fill(batch);
        }
        PartitionStorage copy = partition(1);
        ImageLoad load = new ImageLoad(copy);
        batch.forEach((table, bucket, row, array, offset, length) -> {
            if (table == BoundsRow.TABLE) {
                BoundsRow.restore(copy, array, offset, length);
            } else {
                load.row(table, bucket, row, array, offset, length);
            }
        });
        isOver = false;
        while (!isOver) {
            isOver = load.index(7);
        }
        return copy;
    }

    @Test
    void aDropEndsAnImageThatHasTheRows() {
        BucketStaging staging = stage();
        VersionReader reader = target.openReader(0, 0);
        reader.readAt(0);
        ImageScan scan = new ImageScan(target, reader);
        drop(staging);
        RowBatch batch = new RowBatch(1 << 10);
        assertThatThrownBy(() -> scan.fill(batch))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD));
    }

    @Test
    void aTableThatComesOrGoesDropsWhatIsStaged() {
        insert(KEYED, 1, 10);
        commit();
        BucketExtraction extraction = source.moves().extract(1, bucketOf(source));
        RowChunk chunk = new RowChunk(Integer.MAX_VALUE);
        extraction.fill(chunk, Integer.MAX_VALUE);
        source.moves().endExtraction(1);
        BucketStaging staging = stage();
        staging.take(chunk.toByteArray());
        assertThat(target.moves().freeNumber()).isNotEqualTo(staging.number());
        target.createTable(new TableFixture(3, "T3")
                .column("K", TypeKind.INTEGER)
                .partitionedOn(0)
                .build());
        assertThat(target.moves().stagings()).isEmpty();
        assertThat(target.moves().freeNumber()).isEqualTo(staging.number());
    }
}
