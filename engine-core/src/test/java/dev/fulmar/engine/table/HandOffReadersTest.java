package dev.fulmar.engine.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowChunk;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.version.Snapshot;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Readers of snapshots at two partitions, between which buckets go to and fro, see each row once. */
class HandOffReadersTest {
    private static final int TABLE = 1;
    private static final int KEYS = 120;
    private static final int PARTITIONS = 2;
    private static final int BUCKETS = 4;

    private final MemoryBudget budget = new MemoryBudget(1L << 30, "memory.limit");
    private final ChunkSource memory = new ChunkSource(budget);
    private PartitionPlan plan = PartitionPlan.hash(PARTITIONS);
    private final List<PartitionStorage> partitions = List.of(partition(0), partition(1));
    private final TreeMap<Integer, String> model = new TreeMap<>();
    private final List<Reading> readings = new ArrayList<>();
    private SeededRandom random = new SeededRandom(1);
    private long clock = 1;
    private long moves;

    /** A reader at both partitions, and the rows that it must see. */
    private record Reading(List<VersionReader> readers, TreeMap<Integer, String> expected, List<Walk> walks) {
        Snapshot snapshot(int partition) {
            return readers.get(partition).snapshot();
        }
    }

    /** Walks under way, one at each partition, that have shown some rows. */
    private record Walk(List<LongSupplier> cursors, TreeMap<Integer, String> seen) {}

    private PartitionStorage partition(int number) {
        PartitionStorage made = new PartitionStorage(memory, plan.bucketsOf(number, BUCKETS), 8L << 20);
        made.createTable(table());
        return made;
    }

    private static Table table() {
        return new TableFixture(TABLE, "T")
                .column("K", TypeKind.INTEGER)
                .nullable("TEXT", ColumnType.varchar(200))
                .partitionedOn(0)
                .primaryKey(0)
                .index("BY_TEXT", IndexKind.ORDERED, false, false, 1)
                .build();
    }

    private TableStore store(int partition) {
        return partitions.get(partition).table(TABLE);
    }

    private TableIndex byText(int partition) {
        return store(partition).indexes().stream()
                .filter(index -> index.definition().name().equals("BY_TEXT"))
                .findFirst()
                .orElseThrow();
    }

    private RowImage image(int partition, int key, String text) {
        RowImage image = new RowImage(store(partition).layout());
        image.clear();
        image.setLong(0, key);
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        image.setBytes(1, bytes, 0, bytes.length);
        return image;
    }

    private SearchKey search(int partition, int key) {
        SearchKey search = store(partition).primaryIndex().newKey();
        search.reset();
        search.addLong(key);
        return search;
    }

    private String text(int partition, long row) {
        RowLayout layout = store(partition).layout();
        byte[] bytes = new byte[layout.bytesLength(row, 1)];
        OffHeap.copy(layout.bytesAddress(row, 1), bytes, 0, bytes.length);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    private void transaction() {
        for (int change = 1 + random.nextInt(4); change > 0; change--) {
            int key = random.nextInt(KEYS);
            int home = plan.partitionOf(key);
            PartitionStorage storage = partitions.get(home);
            long row = store(home).primaryIndex().find(search(home, key));
            String text = "x".repeat(random.nextInt(90)) + clock;
            if (row == 0) {
                store(home).insert(image(home, key, text), storage.undoLog());
                model.put(key, text);
            } else if (random.nextInt(4) == 0) {
                store(home).delete(row, storage.undoLog());
                model.remove(key);
            } else {
                store(home).update(row, image(home, key, text), store(home).updateShape(1), storage.undoLog());
                model.put(key, text);
            }
        }
        partitions.forEach(storage -> storage.undoLog().commit(clock));
        clock++;
    }

    /** Chooses the commits so far, at partitions that have passed them. */
    private Reading read() {
        List<VersionReader> readers = partitions.stream()
                .map(storage -> storage.openReader(clock - 1, 0))
                .toList();
        readers.forEach(reader -> reader.readAt(clock - 1));
        Reading reading = new Reading(readers, new TreeMap<>(model), new ArrayList<>());
        readings.add(reading);
        return reading;
    }

    private void leave(Reading reading) {
        reading.readers().forEach(VersionReader::close);
        readings.remove(reading);
        partitions.forEach(PartitionStorage::freeGone);
    }

    private void move() {
        int from = random.nextInt(PARTITIONS);
        SortedSet<Integer> buckets = partitions.get(from).bucketBounds().buckets();
        if (buckets.size() == 1) {
            return;
        }
        move(from, List.copyOf(buckets).get(random.nextInt(buckets.size())));
    }

    private void cut() {
        int partition = random.nextInt(PARTITIONS);
        PartitionStorage storage = partitions.get(partition);
        List<Integer> buckets = List.copyOf(storage.bucketBounds().buckets());
        int bucket = buckets.get(random.nextInt(buckets.size()));
        Optional<KeyRange> half = BucketCut.upperHalf(storage, bucket);
        if (half.isEmpty() || buckets.size() > 3 * BUCKETS) {
            return;
        }
        boolean isInPlace = random.nextInt(3) == 0;
        long position = half.get().first();
        BucketCut cut = random.nextBoolean()
                ? BucketCut.begin(storage, bucket, KeySpace.HASH, position)
                : BucketCut.separate(
                        storage,
                        bucket,
                        List.of(new KeyRange(KeySpace.HASH, position, position)),
                        storage.moves().freeNumber(),
                        isInPlace);
        for (int pieces = random.nextInt(4); pieces > 0; pieces--) {
            cut.next(1 + random.nextInt(10));
            transaction();
        }
        if (cut.mayFinish()) {
            cut.finish(clock++);
        } else {
            assertThat(cut.isInPlace()).as("only that waits for readers").isTrue();
            cut.discard();
        }
    }

    private void move(int from, int bucket) {
        int to = 1 - from;
        PartitionStorage source = partitions.get(from);
        List<KeyRange> ranges =
                KeyRange.common(plan.rangesOf(from), source.bucketBounds().rangesOf(bucket));
        if (ranges.isEmpty()) {
            return;
        }
        BucketMoves arriving = partitions.get(to).moves();
        BucketStaging staging = arriving.stage(++moves, arriving.freeNumber());
        BucketExtraction extraction = source.moves().extract(moves, bucket);
        RowChunk chunk = new RowChunk(Integer.MAX_VALUE);
        assertThat(extraction.fill(chunk, Integer.MAX_VALUE)).isTrue();
        staging.take(chunk.toByteArray());
        HandOff handOff = new HandOff(moves, from, to, bucket, staging.chunks(), 0, ranges);
        arriving.check(handOff, to, plan);
        source.moves().check(handOff, from, plan);
        arriving.handOver(handOff, to, clock);
        source.moves().handOver(handOff, from, clock);
        clock++;
        for (KeyRange range : ranges) {
            plan = plan.with(range, to);
        }
        partitions.forEach(storage -> storage.freeSome(5));
    }

    private void assertSees(Reading reading) {
        for (int key = 0; key < KEYS; key++) {
            List<String> found = new ArrayList<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                Snapshot snapshot = reading.snapshot(partition);
                long row = store(partition).primaryIndex().findAt(search(partition, key), snapshot);
                if (row != 0) {
                    found.add(text(partition, snapshot.versionOf(row)));
                }
            }
            String expected = reading.expected().get(key);
            assertThat(found).as("key " + key).isEqualTo(expected == null ? List.of() : List.of(expected));
        }
        for (boolean isScan : new boolean[] {true, false}) {
            Walk walk = walk(reading, isScan);
            goOn(reading, walk, Integer.MAX_VALUE);
        }
    }

    private Walk walk(Reading reading, boolean isScan) {
        List<LongSupplier> cursors = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            Snapshot snapshot = reading.snapshot(partition);
            if (isScan) {
                ScanCursor cursor = store(partition).newScan(snapshot);
                cursor.open();
                cursors.add(cursor::next);
            } else {
                TableIndex index = byText(partition);
                IndexCursor cursor = index.newCursor(snapshot);
                index.open(cursor, index.newRange().reset(), false);
                cursors.add(cursor::next);
            }
        }
        return new Walk(cursors, new TreeMap<>());
    }

    /** Whether the walk has ended; it has shown then exactly the rows of its reader. */
    private boolean goOn(Reading reading, Walk walk, int mostRows) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            Snapshot snapshot = reading.snapshot(partition);
            for (int left = mostRows; left > 0; left--) {
                long row = walk.cursors().get(partition).getAsLong();
                if (row == 0) {
                    break;
                }
                long version = snapshot.versionOf(row);
                int key = (int) store(partition).layout().getLong(version, 0);
                assertThat(walk.seen().put(key, text(partition, version)))
                        .as("key " + key + " is shown once")
                        .isNull();
            }
        }
        boolean hasEnded = mostRows == Integer.MAX_VALUE;
        if (hasEnded) {
            assertThat(walk.seen()).isEqualTo(reading.expected());
        }
        return hasEnded;
    }

    @RepeatedTest(60)
    void eachReaderSeesItsSnapshot(RepetitionInfo repetition) {
        random = new SeededRandom(repetition.getCurrentRepetition());
        for (int round = 0; round < 250; round++) {
            switch (random.nextInt(8)) {
                case 0 -> {
                    if (random.nextInt(3) == 0) {
                        cut();
                    } else {
                        move();
                    }
                }
                case 1 -> {
                    if (readings.size() < 3) {
                        read();
                    }
                }
                case 2 -> {
                    if (!readings.isEmpty()) {
                        leaveSometimes(readings.get(random.nextInt(readings.size())));
                    }
                }
                default -> transaction();
            }
            if (!readings.isEmpty() && random.nextInt(4) == 0) {
                look(readings.get(random.nextInt(readings.size())));
            }
        }
        List.copyOf(readings).forEach(this::leaveSometimes);
        List.copyOf(readings).forEach(this::leave);
        close();
    }

    private void look(Reading reading) {
        if (random.nextInt(3) == 0) {
            assertSees(reading);
        } else if (reading.walks().isEmpty() || random.nextInt(3) == 0) {
            reading.walks().add(walk(reading, random.nextInt(2) == 0));
        } else {
            goOn(reading, reading.walks().get(random.nextInt(reading.walks().size())), 1 + random.nextInt(20));
        }
    }

    private void leaveSometimes(Reading reading) {
        if (random.nextInt(3) == 0) {
            reading.walks().forEach(walk -> goOn(reading, walk, Integer.MAX_VALUE));
            assertSees(reading);
            leave(reading);
        }
    }

    private void close() {
        partitions.forEach(PartitionStorage::freeGone);
        long rows = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            rows += store(partition).rowCount();
            assertThat(partitions.get(partition).moves().hasUnread()).isFalse();
        }
        assertThat(rows).isEqualTo(model.size());
        partitions.forEach(PartitionStorage::close);
        assertThat(budget.usedBytes()).isZero();
    }

    /** All of its bounds go to the one that comes, since its partition has had no keys of them. */
    @Test
    void aBucketTakesThePlaceOfAnEmptyOne() {
        for (int i = 0; i < 50; i++) {
            transaction();
        }
        int first = partitions.get(1).bucketBounds().buckets().first();
        BucketCut.begin(partitions.get(1), first, KeySpace.HASH, 0).finish(clock++);
        BucketCut.begin(
                        partitions.get(0),
                        partitions.get(0).bucketBounds().buckets().last(),
                        KeySpace.HASH,
                        0)
                .finish(clock++);
        Reading reading = read();
        for (int bucket : List.copyOf(partitions.get(0).bucketBounds().buckets())) {
            move(0, bucket);
            transaction();
            assertSees(reading);
        }
        assertThat(plan.rangesOf(0)).isEmpty();
        assertThat(partitions.get(1).bucketBounds().buckets()).hasSize(2 * BUCKETS);
        leave(reading);
        close();
    }

    /** Another bucket may have its number by then, and the checkpoint rows of that one under the same slots. */
    @Test
    void aCheckpointSavesNoRowOfABucketThatHasLeftBeforeIt() {
        PartitionStorage storage = partitions.get(0);
        storage.marks().start();
        for (int i = 0; i < 100; i++) {
            transaction();
        }
        Reading reading = read();
        int bucket = storage.bucketBounds().buckets().first();
        for (int key = 0; key < KEYS; key++) {
            long row = plan.partitionOf(key) == 0 ? store(0).primaryIndex().find(search(0, key)) : 0;
            if (row != 0 && store(0).bucketOf(row) == bucket) {
                store(0).delete(row, storage.undoLog());
                model.remove(key);
            }
        }
        storage.undoLog().commit(clock++);
        long last = storage.bucketBounds().rangesOf(bucket).getFirst().last();
        BucketCut.begin(storage, bucket, KeySpace.HASH, last).finish(clock++);
        CheckpointScan scan = new CheckpointScan(storage);
        scan.begin(new RowBatch(1 << 20));
        long before = storage.marks().savedRows();
        assertSees(reading);
        leave(reading);
        assertThat(storage.undoLog().isRetaining()).isFalse();
        assertThat(storage.marks().savedRows()).isEqualTo(before);
        scan.fill(new RowBatch(1 << 20));
        close();
    }

    @Test
    void aBucketThatHasLeftGivesItsMemoryBackWithItsLastReader() {
        for (int i = 0; i < 200; i++) {
            transaction();
        }
        Reading reading = read();
        int size = model.size();
        for (int i = 0; i < 30; i++) {
            move();
            transaction();
        }
        assertThat(reading.expected()).hasSize(size);
        assertSees(reading);
        partitions.forEach(PartitionStorage::freeGone);
        assertSees(reading);
        long before = partitions.stream()
                .mapToLong(storage -> storage.moves().reservedBytes())
                .sum();
        assertThat(before).isPositive();
        leave(reading);
        assertThat(partitions.stream().mapToLong(storage -> storage.moves().reservedBytes()))
                .containsOnly(0L);
        close();
    }
}
