package dev.fulmar.engine.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.door.BucketMover;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.partitioning.BucketBounds;
import dev.fulmar.engine.partitioning.BucketLayout;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Buckets go from one partition to another of the same node, and are cut. */
class BucketTransferTest {
    private static final int KEYED = 1;
    private static final int NUMBERED = 2;
    private static final int KEYS = 1_000;
    private static final int TEXT_BYTES = 100;

    private final MemoryBudget budget = new MemoryBudget(256L << 20, "memory.limit");
    private final ChunkSource memory = new ChunkSource(budget);
    private final PartitionPlan plan = PartitionPlan.ranges(0, KEYS);
    private final PartitionStorage source = partition(0);
    private final PartitionStorage target = partition(1);
    private final BucketTransfer leaving = new BucketTransfer(source);
    private final BucketTransfer coming = new BucketTransfer(target);

    private PartitionStorage partition(int number) {
        PartitionStorage made = new PartitionStorage(memory, plan.bucketsOf(number, 4), 8L << 20);
        made.createTable(table(KEYED));
        made.createTable(table(NUMBERED));
        return made;
    }

    private static Table table(int id) {
        TableFixture fixture = new TableFixture(id, "T" + id)
                .column("K", TypeKind.INTEGER)
                .nullable("TEXT", ColumnType.varchar(200))
                .partitionedOn(0);
        return id == KEYED
                ? fixture.primaryKey(0)
                        .index("BY_TEXT", IndexKind.ORDERED, false, false, 1)
                        .build()
                : fixture.build();
    }

    @AfterEach
    void everythingIsGivenBack() {
        source.close();
        target.close();
        assertThat(budget.usedBytes()).isZero();
    }

    /** All keys lie in one bucket of the plan's, as they do where a plan has ranges of integers. */
    private int filled() {
        for (int table = KEYED; table <= NUMBERED; table++) {
            for (int key = 0; key < KEYS; key++) {
                insert(source, table, key);
            }
        }
        source.undoLog().commit(5);
        return source.table(KEYED).bucketOf(row(source, KEYED, 0L));
    }

    private static void insert(PartitionStorage storage, int table, int key) {
        RowImage image = new RowImage(storage.table(table).layout());
        image.clear();
        image.setLong(0, key);
        byte[] text = new byte[TEXT_BYTES];
        image.setBytes(1, text, 0, text.length);
        storage.table(table).insert(image, storage.undoLog());
    }

    /** Rows by their keys. */
    private static SortedMap<Long, Long> addresses(PartitionStorage storage, int table) {
        TableStore store = storage.table(table);
        SortedMap<Long, Long> found = new TreeMap<>();
        ScanCursor cursor = store.newScan();
        cursor.open();
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            found.put(store.layout().getLong(row, 0), row);
        }
        return found;
    }

    private static long row(PartitionStorage storage, int table, long key) {
        return addresses(storage, table).getOrDefault(key, 0L);
    }

    private static long find(PartitionStorage storage, long key) {
        TableIndex primary = storage.table(KEYED).primaryIndex();
        SearchKey search = primary.newKey();
        search.reset();
        search.addLong(key);
        return primary.find(search);
    }

    /** Of the source's bucket, what belongs to its partition by the plan. */
    private List<KeyRange> owned(int number) {
        return KeyRange.common(source.bucketBounds().rangesOf(number), plan.rangesOf(0));
    }

    private int upperHalf(int number) {
        KeyRange half = BucketCut.upperHalf(source, number).orElseThrow();
        BucketCut cut = BucketCut.begin(source, number, half.space(), half.first());
        boolean few = false;
        while (!few) {
            few = cut.next(100);
        }
        return cut.finish(9);
    }

    @Test
    void aBucketMovesAndNoRowIsTouched() {
        int lower = filled();
        int upper = upperHalf(lower);
        while (!source.freeSome(Integer.MAX_VALUE)) {
            // Until the memory of the bucket that was cut is free.
        }
        List<KeyRange> ranges = owned(upper);
        SortedMap<Long, Long> before = addresses(source, KEYED);
        SortedMap<Long, Long> numbered = addresses(source, NUMBERED);
        long reservedBytes = source.reservedBytes() + target.reservedBytes();

        DetachedBucket bucket = leaving.detach(upper);
        SortedMap<Long, Long> stayed = addresses(source, KEYED);
        assertThat(bucket.rowCount()).isEqualTo(2L * (KEYS - stayed.size()));
        assertThat(before).containsAllEntriesOf(stayed);
        long gone = before.lastKey();
        assertThat(find(source, gone)).isZero();

        int number = coming.attach(bucket, ranges);
        assertThat(number).isEqualTo(4);
        SortedMap<Long, Long> came = addresses(target, KEYED);
        assertThat(came.size() + stayed.size()).isEqualTo(KEYS);
        assertThat(before).containsAllEntriesOf(came);
        assertThat(numbered).containsAllEntriesOf(addresses(target, NUMBERED));
        assertThat(find(target, gone)).isEqualTo(before.get(gone));
        assertThat(RowLayout.commitTimestamp(find(target, gone))).isEqualTo(5);
        assertThat(source.reservedBytes() + target.reservedBytes()).isEqualTo(reservedBytes);
        assertThatThrownBy(() -> insert(target, KEYED, (int) gone))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNIQUE_VIOLATION));
        insert(target, NUMBERED, (int) gone);
        target.undoLog().commit(6);
        assertThat(row(target, NUMBERED, gone)).isNotEqualTo(numbered.get(gone));
    }

    @Test
    void aSubsystemMovesBucketsThroughThePort() {
        int number = filled();
        BucketMover mover = new BucketMover(leaving, coming);
        VersionReader reader = source.openReader(5, 0);
        assertThat(mover.move(number, plan.rangesOf(0))).isEmpty();
        reader.close();
        source.undoLog().reclaimAll();
        VersionReader there = target.openReader(5, 0);
        assertThat(mover.move(number, plan.rangesOf(0)))
                .as("a reader there would see rows that came later")
                .isEmpty();
        there.close();
        target.undoLog().reclaimAll();
        insert(target, KEYED, KEYS + 5);
        target.undoLog().commit(5);
        assertThat(mover.move(number, plan.rangesOf(0))).hasValue(4);
        assertThat(addresses(source, KEYED)).isEmpty();
        assertThat(addresses(target, KEYED)).hasSize(KEYS + 1);
        assertThat(find(target, KEYS + 5)).isNotZero();
        assertThat(new BucketMover(coming, leaving).move(4, plan.rangesOf(0))).hasValue(number);
        assertThat(addresses(source, KEYED)).hasSize(KEYS);
    }

    @Test
    void numbersOfRowsGoOnWhereTheyWere() {
        int number = filled();
        long highest = addresses(source, NUMBERED).values().stream()
                .mapToLong(row -> rowNumber(source, row))
                .max()
                .orElseThrow();
        List<KeyRange> ranges = owned(number);
        coming.attach(leaving.detach(number), ranges);
        insert(target, NUMBERED, 7);
        target.undoLog().commit(6);
        assertThat(rowNumber(target, row(target, NUMBERED, 7L))).isEqualTo(highest + 1);
    }

    private static long rowNumber(PartitionStorage storage, long row) {
        return OffHeap.getLong(row + storage.table(NUMBERED).layout().rowNumberOffset());
    }

    @Test
    void rowsThatWereCollectedComeAtOnce() {
        DetachedBucket staged = coming.empty();
        RowImage image = new RowImage(staged.table(KEYED).layout());
        for (int key = 0; key < 10; key++) {
            image.clear();
            image.setLong(0, key);
            staged.table(KEYED).adopt(image, 0, 3);
        }
        assertThat(addresses(target, KEYED)).isEmpty();
        assertThat(find(target, 4)).isZero();
        coming.attach(staged, List.of(new KeyRange(KeySpace.INTEGER, 0, 9)));
        assertThat(addresses(target, KEYED)).hasSize(10);
        assertThat(find(target, 4)).isNotZero();
        assertThat(target.table(KEYED).rowCount()).isEqualTo(10);
    }

    @Test
    void aBucketThatIsGivenUpGivesItsMemoryBack() {
        int number = filled();
        long used = source.usedBytes();
        leaving.detach(number).close();
        assertThat(source.usedBytes()).isLessThan(used / 10);
        assertThat(source.table(KEYED).rowCount()).isZero();
        insert(source, KEYED, 3);
        source.undoLog().commit(7);
        assertThat(find(source, 3)).isNotZero();
    }

    @Test
    void aBucketStaysWhileItIsUsed() {
        int number = filled();
        assertThat(leaving.mayDetach()).isTrue();
        insert(source, KEYED, KEYS + 1);
        assertThat(leaving.mayDetach()).isFalse();
        source.undoLog().rollback();

        VersionReader reader = source.openReader(5, 0);
        assertThat(leaving.mayDetach()).isFalse();
        reader.close();
        source.undoLog().reclaimAll();

        source.marks().start();
        CheckpointScan scan = new CheckpointScan(source);
        RowBatch batch = new RowBatch(1 << 20);
        scan.begin(batch);
        assertThat(leaving.mayDetach()).isFalse();
        assertThat(scan.fill(batch)).isTrue();

        source.beginProof(KEYED, this, row -> {}, column -> false);
        assertThat(leaving.mayDetach()).isFalse();
        source.discardPreparation();

        source.createTable(new TableFixture(9, "GOES")
                .column("K", TypeKind.INTEGER)
                .partitionedOn(0)
                .build());
        source.retireTable(9);
        assertThat(leaving.mayDetach()).isFalse();
        source.freeSome(Integer.MAX_VALUE);
        assertThat(leaving.mayDetach()).isTrue();
        leaving.detach(number).close();
    }

    @Test
    void aBucketOfOtherTablesDoesNotCome() {
        int number = filled();
        List<KeyRange> ranges = owned(number);
        DetachedBucket bucket = leaving.detach(number);
        Table more = new TableFixture(KEYED, "T1")
                .column("K", TypeKind.INTEGER)
                .nullable("TEXT", ColumnType.varchar(200))
                .partitionedOn(0)
                .primaryKey(0)
                .build();
        target.dropIndex(more, 3);
        assertThatThrownBy(() -> coming.attach(bucket, ranges))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TRANSACTION_RESTART));
        assertThat(target.bucketBounds()).isEqualTo(plan.bucketsOf(1, 4).bounds());
        bucket.close();
    }

    @Test
    void aCutFollowsTheData() {
        int lower = filled();
        int upper = upperHalf(lower);
        assertThat(source.table(KEYED).bucket(lower).rowCount()).isBetween(KEYS * 4L / 10, KEYS * 6L / 10);
        assertThat(source.table(KEYED).bucket(lower).rowCount()
                        + source.table(KEYED).bucket(upper).rowCount())
                .isEqualTo(KEYS);
        assertThat(addresses(source, NUMBERED)).hasSize(KEYS);
        for (long key = 0; key < KEYS; key++) {
            assertThat(find(source, key)).isNotZero();
        }
    }

    @Test
    void numbersThatAreGoneAreNotGivenAgainBehindACut() {
        int lower = filled();
        long last = row(source, NUMBERED, KEYS - 1);
        long highest = rowNumber(source, last);
        source.table(NUMBERED).delete(last, source.undoLog());
        source.undoLog().commit(6);
        upperHalf(lower);
        insert(source, NUMBERED, KEYS - 1);
        insert(source, NUMBERED, 0);
        source.undoLog().commit(7);
        ScanCursor cursor = source.table(NUMBERED).newScan();
        cursor.open();
        int newer = 0;
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            newer += rowNumber(source, row) > highest ? 1 : 0;
            assertThat(rowNumber(source, row)).isNotEqualTo(highest);
        }
        assertThat(newer).isEqualTo(2);
    }

    /** A copy is built anew while rows of before are being freed, and its primary gives the number of their bucket. */
    @Test
    void aNumberIsFreeThoughDroppedTablesStillHaveMemoryOfItsBucket() {
        int number = filled();
        source.retireTable(KEYED);
        source.retireTable(NUMBERED);
        source.createTable(table(KEYED));
        source.createTable(table(NUMBERED));
        BucketBounds rest = source.bucketBounds().without(number);
        new RestoredBuckets(source).layout(new BucketLayout(rest, List.of()));
        BucketStaging staging = source.moves().stage(7, number);
        assertThat(staging.number()).isEqualTo(number);
        source.moves().drop(7);
        int pieces = 0;
        while (!source.freeSome(100)) {
            pieces++;
        }
        assertThat(pieces).isGreaterThan(1);
    }

    @Test
    void aBucketThatHasComeIsNobodysAnyMore() {
        int number = filled();
        List<KeyRange> ranges = owned(number);
        DetachedBucket bucket = leaving.detach(number);
        coming.attach(bucket, ranges);
        bucket.close();
        assertThat(bucket.reservedBytes()).isZero();
        assertThat(find(target, 4)).isNotZero();
        assertThatThrownBy(() -> coming.attach(bucket, ranges)).isInstanceOf(FulmarException.class);
        assertThat(addresses(target, KEYED)).hasSize(KEYS);
    }

    @Test
    void aCutComesToItsEndThoughMoreRowsChangeThanAPieceTakes() {
        int number = filled();
        BucketCut cut = BucketCut.begin(source, number, KeySpace.INTEGER, KEYS / 2);
        int pieces = 1;
        while (!cut.next(100) && pieces < 300) {
            change(0, 150); // the same ones again and again
            pieces++;
        }
        assertThat(pieces).isLessThan(300);
        cut.discard();
    }

    @Test
    void aCutFollowsATableThatChangesFasterThanItsShare() {
        int number = filled();
        for (int key = 0; key < KEYS; key++) {
            insert(source, KEYED, KEYS + key);
        }
        source.undoLog().commit(6);
        BucketCut cut = BucketCut.begin(source, number, KeySpace.INTEGER, KEYS / 2);
        change(0, 2 * KEYS); // so many wait at once that they are not few
        int pieces = 1;
        while (!cut.next(100) && pieces < 300) {
            change(75 * pieces++, 75);
        }
        assertThat(pieces).isLessThan(300);
        cut.discard();
    }

    /** Updates so many rows from a place on, in a circle. */
    private void change(int first, int rows) {
        TableStore store = source.table(KEYED);
        List<Long> all = List.copyOf(addresses(source, KEYED).values());
        for (int i = first; i < first + rows; i++) {
            long row = all.get(i % all.size());
            RowImage image = new RowImage(store.layout());
            image.clear();
            image.setLong(0, store.layout().getLong(row, 0));
            store.update(row, image, store.updateShape(1), source.undoLog());
        }
        source.undoLog().commit(7);
    }

    @Test
    void aFewKeysLeaveTheirBucketAndTheOthersStayWhereTheyAre() {
        int number = filled();
        List<KeyRange> hot = IntStream.of(3, 7, 500)
                .mapToObj(key -> new KeyRange(KeySpace.INTEGER, key, key))
                .toList();
        SortedMap<Long, Long> before = addresses(source, KEYED);
        BucketCut cut = leaving.separate(number, hot);
        assertThat(cut.isInPlace()).isTrue();
        boolean few = false;
        while (!few) {
            source.table(KEYED)
                    .delete(row(source, KEYED, addresses(source, KEYED).lastKey()), source.undoLog());
            source.undoLog().commit(6);
            few = cut.next(100);
        }
        source.table(KEYED).delete(find(source, 7), source.undoLog());
        source.undoLog().commit(7);
        int made = cut.finish(9);
        assertThat(source.bucketBounds().rangesOf(made)).containsExactlyInAnyOrderElementsOf(hot);
        assertThat(source.table(KEYED).bucket(made).rowCount()).isEqualTo(2);
        assertThat(source.table(NUMBERED).bucket(made).rowCount()).isEqualTo(3);
        SortedMap<Long, Long> after = addresses(source, KEYED);
        assertThat(after.keySet()).contains(3L, 500L).doesNotContain(7L);
        assertThat(RowLayout.commitTimestamp(find(source, 500))).isEqualTo(5);
        after.remove(3L);
        after.remove(500L);
        assertThat(before).containsAllEntriesOf(after);
        assertThat(addresses(source, NUMBERED)).hasSize(KEYS);
        source.checkTables();
    }

    /** Nearly all rows of a bucket leave the others: these get another bucket, and no row is copied. */
    @Test
    void aFewKeysThatStayAreTakenOut() {
        int number = filled();
        List<KeyRange> integers = source.bucketBounds().rangesOf(number).stream()
                .filter(range -> range.space() == KeySpace.INTEGER)
                .toList();
        SortedMap<Long, Long> before = addresses(source, KEYED);
        BucketCut cut = leaving.separate(number, integers);
        assertThat(cut.isInPlace()).isTrue();
        int made = cut.finish(9);
        assertThat(source.bucketBounds().rangesOf(made)).isEqualTo(cut.ranges()).isNotEmpty();
        assertThat(source.bucketBounds().rangesOf(number)).containsExactlyElementsOf(integers);
        assertThat(source.table(KEYED).bucket(made).rowCount()).isZero();
        assertThat(addresses(source, KEYED)).isEqualTo(before);
        source.checkTables();
    }

    /** Half of a bucket is not taken out row by row: the pause would be long. */
    @Test
    void manyKeysLeaveTheirBucketAsCopies() {
        int number = filled();
        List<KeyRange> half =
                List.of(new KeyRange(KeySpace.INTEGER, 0, 199), new KeyRange(KeySpace.INTEGER, 400, KEYS - 201));
        BucketCut cut = leaving.separate(number, half);
        assertThat(cut.isInPlace()).isFalse();
        int made = cut.finish(9);
        assertThat(source.table(KEYED).bucket(made).rowCount()).isEqualTo(600);
        assertThat(source.table(KEYED).bucket(number).rowCount()).isEqualTo(400);
        source.checkTables();
        assertThatThrownBy(() -> leaving.separate(number, half)).isInstanceOf(FulmarException.class);
        assertThatThrownBy(() -> leaving.separate(made, half)).isInstanceOf(FulmarException.class);
        assertThatThrownBy(() -> leaving.separate(made, List.of())).isInstanceOf(FulmarException.class);
    }

    /** A cut that is finished may be discarded all the same, as a caller's finally does. */
    @Test
    void aFinishedCutHasNothingToGiveUp() {
        int number = filled();
        KeyRange half = BucketCut.upperHalf(source, number).orElseThrow();
        BucketCut cut = BucketCut.begin(source, number, half.space(), half.first());
        cut.finish(9);
        cut.discard();
        assertThat(addresses(source, KEYED)).hasSize(KEYS);
    }

    @Test
    void anIndexMayGetAnotherNameBesideACut() {
        int number = filled();
        KeyRange half = BucketCut.upperHalf(source, number).orElseThrow();
        BucketCut cut = BucketCut.begin(source, number, half.space(), half.first());
        Table table = source.table(KEYED).definition();
        source.redefineTable(new Table(
                table.id(),
                table.name(),
                table.columns(),
                table.partitioningColumn(),
                table.primaryKey(),
                table.indexes().stream()
                        .map(index -> index.withName("N" + index.id()))
                        .toList()));
        cut.finish(9);
        assertThat(addresses(source, KEYED)).hasSize(KEYS);
        assertThat(find(source, KEYS - 1)).isNotZero();
    }

    @Test
    void aPositionBeyondTheBucketDoesNotCutIt() {
        int number = filled();
        KeyRange last = source.bucketBounds().rangesOf(number).getLast();
        assertThat(last.space()).isEqualTo(KeySpace.INTEGER);
        assertThatThrownBy(() -> BucketCut.begin(source, number == 0 ? 1 : 0, KeySpace.INTEGER, Long.MAX_VALUE))
                .isInstanceOf(FulmarException.class);
        assertThatThrownBy(() -> BucketCut.begin(source, 17, KeySpace.INTEGER, 5))
                .isInstanceOf(FulmarException.class);
    }

    @Test
    void aBucketDoesNotTakeAllKeysOfAnother() {
        int number = filled();
        DetachedBucket bucket = leaving.detach(number);
        assertThatThrownBy(() -> coming.attach(bucket, List.of(KeyRange.from(KeySpace.INTEGER, Long.MIN_VALUE))))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION));
        assertThatThrownBy(() -> coming.attach(bucket, List.of())).isInstanceOf(FulmarException.class);
        assertThat(target.bucketBounds()).isEqualTo(plan.bucketsOf(1, 4).bounds());
        bucket.close();
    }

    @Test
    void aBucketComesWhileNothingReadsTheTables() {
        assertThat(coming.mayAttach()).isTrue();
        target.beginProof(KEYED, this, row -> {}, column -> false);
        assertThat(coming.mayAttach()).isFalse();
        target.discardPreparation();
        VersionReader reader = target.openReader(5, 0);
        assertThat(coming.mayAttach()).isFalse();
        reader.close();
        target.undoLog().reclaimAll();
        assertThat(coming.mayAttach()).isTrue();
    }

    @Test
    void rowsOfOneKeyAreNotCut() {
        for (int i = 0; i < 10; i++) {
            insert(source, NUMBERED, 5);
        }
        source.undoLog().commit(5);
        int number = source.table(NUMBERED).bucketOf(row(source, NUMBERED, 5L));
        assertThat(BucketCut.upperHalf(source, number)).isEmpty();
    }

    @Test
    void aCutThatIsGivenUpLeavesTheBucketAsItWas() {
        int number = filled();
        KeyRange half = BucketCut.upperHalf(source, number).orElseThrow();
        long used = source.usedBytes();
        BucketCut cut = BucketCut.begin(source, number, half.space(), half.first());
        cut.next(20);
        source.createTable(new TableFixture(9, "MORE")
                .column("K", TypeKind.INTEGER)
                .partitionedOn(0)
                .build());
        assertThat(cut.isOutdated()).isTrue();
        assertThat(cut.mayFinish()).isFalse();
        assertThatThrownBy(() -> cut.next(10))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TRANSACTION_RESTART));
        cut.discard();
        assertThat(source.usedBytes()).isEqualTo(used);
        assertThat(addresses(source, KEYED)).hasSize(KEYS);
    }
}
