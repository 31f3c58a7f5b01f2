package dev.fulmar.engine.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.checkpoint.BoundsRow;
import dev.fulmar.engine.execution.TableConversion;
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
import dev.fulmar.engine.row.StoredRow;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.pmemlog.checkpoint.CheckpointListener;
import dev.fulmar.pmemlog.checkpoint.CheckpointPolicy;
import dev.fulmar.pmemlog.checkpoint.CheckpointPosition;
import dev.fulmar.pmemlog.checkpoint.CheckpointPressure;
import dev.fulmar.pmemlog.checkpoint.CheckpointSettings;
import dev.fulmar.pmemlog.checkpoint.CheckpointSource;
import dev.fulmar.pmemlog.checkpoint.CheckpointStore;
import dev.fulmar.pmemlog.checkpoint.Checkpointer;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random transactions go on while checkpoints are taken; each checkpoint, read back, is the state at its moment, slot
 * by slot.
 */
class CheckpointScanTest implements CheckpointSource, CheckpointListener, CheckpointPressure {
    /** A life ends with a staged bucket in about every third case. */
    private static final int MOST_LIVES = 30;

    private static final int KEYED = 1;
    private static final int NUMBERED = 2;
    private static final int BUCKETS = 3;
    private static final CheckpointSettings SETTINGS =
            new CheckpointSettings("checkpoint", 512, 1024, 16 << 10, 64 << 10, 16 << 10);
    private static final CheckpointPolicy POLICY = new CheckpointPolicy(1, 1, 1, 1);

    private final SimulatedWorld world = new SimulatedWorld(7);
    private final ChunkSource memory = new ChunkSource(new MemoryBudget(1L << 30, "memory.limit"));
    private Random random = new Random(0);
    private PartitionStorage storage = newStorage(BUCKETS);
    private CheckpointScan scan = new CheckpointScan(storage);
    private BoundsRow bounds = new BoundsRow(storage, null);
    private final List<Away> away = new ArrayList<>();
    private @Nullable BucketCut cutting;
    private @Nullable Return coming;
    private long lastMove;
    private int returns;
    private long stagedRows;
    private int moves;
    private int cuts;
    private @Nullable RowBatch wanted;
    private List<String> cut = List.of();
    private List<String> published = List.of();
    private long publishedCount;
    private long sequence;
    private final ArrayDeque<VersionReader> readers = new ArrayDeque<>();
    private long mostHeldBytes;
    private int copies;

    /** A bucket that has left the partition. */
    private record Away(DetachedBucket bucket, List<KeyRange> ranges) {}

    /** A bucket whose rows come back one by one from another partition, where they change meanwhile. */
    private final class Return {
        private final PartitionStorage elsewhere = newStorage(1);
        private final List<KeyRange> ranges;
        private final RowChunk chunk = new RowChunk(1 + random.nextInt(2_000));
        private final int number;
        private BucketExtraction extraction;
        private long move;

        Return(Away left) {
            ranges = left.ranges;
            number = new BucketTransfer(elsewhere).attach(left.bucket, ranges);
            extraction = begin();
        }

        private BucketExtraction begin() {
            move = ++lastMove;
            storage.moves().stage(move, storage.moves().freeNumber());
            return elsewhere.moves().extract(1, number);
        }

        /** Whether the bucket is the partition's again. */
        boolean next() {
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                statement(elsewhere.table(KEYED + random.nextInt(2)), elsewhere.undoLog());
            }
            elsewhere.undoLog().commit(++sequence);
            BucketStaging staging = storage.moves().staging(move);
            if (staging == null) { // tables have changed
                elsewhere.moves().endExtraction(1);
                extraction = begin();
                return false;
            }
            boolean isWhole = extraction.fill(chunk, 1 + random.nextInt(100));
            staging.take(chunk.toByteArray());
            chunk.clear();
            if (!isWhole || !new BucketTransfer(storage).isIdle()) {
                return false;
            }
            storage.moves().handOver(new HandOff(move, 1, 0, number, staging.chunks(), 0, ranges), 0, ++sequence);
            end();
            return true;
        }

        void end() {
            elsewhere.moves().endExtraction(1);
            elsewhere.close();
        }
    }

    private PartitionStorage newStorage(int buckets) {
        PartitionStorage made =
                new PartitionStorage(memory, PartitionPlan.hash(1).bucketsOf(0, buckets), 64 << 20);
        made.createTable(table(KEYED));
        made.createTable(table(NUMBERED));
        return made;
    }

    private static Table table(int id) {
        TableFixture fixture = new TableFixture(id, "T" + id)
                .column("W", TypeKind.INTEGER)
                .nullable("TEXT", ColumnType.varchar(3000))
                .column("PRICE", TypeKind.DOUBLE)
                .nullable("MORE", ColumnType.varchar(100))
                .partitionedOn(0);
        return id == KEYED ? fixture.primaryKey(0).build() : fixture.build();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void aCheckpointIsOneMoment(long seed) {
        random = new Random(seed);
        int compared = 0;
        for (int life = 0; life < 6 || (stagedRows == 0 && life < MOST_LIVES); life++) {
            SimulatedProcess process = world.startProcess(new NodeId(0));
            CheckpointStore store = CheckpointStore.open(process.storage(), SETTINGS, world.random("id"));
            load(store);
            compared += published.isEmpty() ? 0 : 1;
            assertThat(dump()).isEqualTo(published);
            Checkpointer checkpointer = new Checkpointer(store, List.of(this), POLICY, this, process.clock(), this);
            for (int step = 0; step < 900; step++) {
                step(checkpointer);
            }
            assertThat(checkpointer.failure()).isNull();
            assertThat(storage.marks().savedRows()).isPositive();
            process.crash();
        }
        assertThat(compared).isGreaterThan(3);
        assertThat(mostHeldBytes).isPositive();
        assertThat(copies).isPositive();
        assertThat(publishedCount).isGreaterThan(12);
        assertThat(moves).isGreaterThan(5);
        assertThat(cuts).isGreaterThan(3);
        assertThat(returns).isGreaterThan(3);
        assertThat(stagedRows)
                .as("rows that a checkpoint has of a bucket that is staged")
                .isPositive();
    }

    private void load(CheckpointStore store) {
        storage = newStorage(BUCKETS);
        readers.clear();
        away.clear();
        cutting = null;
        coming = null;
        bounds = new BoundsRow(storage, null);
        scan = new CheckpointScan(storage);
        wanted = null;
        store.load(0, (table, bucket, row, array, offset, length) -> {
            if (table == BoundsRow.TABLE) {
                bounds = new BoundsRow(storage, BoundsRow.restore(storage, array, offset, length));
            } else {
                new RestoredBuckets(storage).row(table, bucket, row, array, offset, length);
            }
        });
        storage.finishRestore();
        List<TableStore> restored = new ArrayList<>(storage.stores());
        restored.addAll(storage.moves().stores());
        for (TableStore each : restored) {
            for (TableIndex index : each.indexes()) {
                assertThat(index.entryCount()).isEqualTo(each.rowCount());
            }
        }
        stagedRows += storage.moves().stagings().stream()
                .mapToLong(BucketStaging::rowCount)
                .sum();
    }

    private void step(Checkpointer checkpointer) {
        switch (random.nextInt(15)) {
            case 0, 1, 2, 3 -> transaction();
            case 4, 5, 6 -> answer(false);
            case 7 -> {
                readers();
                storage.undoLog().reclaim(5);
                storage.freeSome(random.nextInt(100));
                if (random.nextInt(60) == 0) {
                    storage.dropTable(NUMBERED);
                    storage.createTable(table(NUMBERED));
                } else if (random.nextInt(20) == 0) {
                    storage.retireTable(NUMBERED);
                    copyWhole();
                    copies++;
                }
            }
            case 8 -> moveBucket();
            case 9 -> cutBucket();
            case 10 -> stageBucket();
            default -> checkpointer.doWork();
        }
    }

    /** A bucket leaves with its rows, or comes back, perhaps under another number. */
    private void moveBucket() {
        BucketTransfer transfer = new BucketTransfer(storage);
        List<Integer> buckets = List.copyOf(storage.bucketBounds().buckets());
        if (random.nextBoolean()) {
            readers.forEach(VersionReader::close);
            readers.clear();
            storage.undoLog().reclaimAll();
            storage.freeSome(Integer.MAX_VALUE);
        }
        if (away.isEmpty() && coming == null && buckets.size() > 2 && transfer.mayDetach() && cutting == null) {
            int number = buckets.get(random.nextInt(buckets.size()));
            List<KeyRange> ranges = storage.bucketBounds().rangesOf(number);
            away.add(new Away(transfer.detach(number), ranges));
        } else if (!away.isEmpty() && cutting == null && transfer.mayAttach()) {
            Away coming = away.remove(random.nextInt(away.size()));
            try {
                transfer.attach(coming.bucket, coming.ranges);
                moves++;
            } catch (FulmarException otherTables) {
                assertThat(otherTables.code()).as(otherTables.toString()).isEqualTo(ErrorCode.TRANSACTION_RESTART);
                coming.bucket.close();
            }
        }
    }

    private void stageBucket() {
        Return under = coming;
        if (under == null) {
            storage.moves().stagings().forEach(left -> storage.moves().drop(left.move()));
            if (!away.isEmpty()) {
                coming = new Return(away.remove(random.nextInt(away.size())));
            }
        } else if (random.nextInt(40) == 0) {
            storage.moves().drop(under.move); // it begins anew
        } else if (cutting == null && under.next()) {
            coming = null;
            returns++;
        }
    }

    private void cutBucket() {
        BucketCut under = cutting;
        if (under == null) {
            List<Integer> buckets = List.copyOf(storage.bucketBounds().buckets());
            int number = buckets.get(random.nextInt(buckets.size()));
            if (buckets.size() < 8) {
                BucketCut.upperHalf(storage, number).ifPresent(half -> cutting = beginCut(number, half));
            }
        } else if (under.isOutdated()) {
            under.discard();
            cutting = null;
        } else if (under.next(1 + random.nextInt(40)) && under.mayFinish()) {
            under.finish(++sequence);
            cutting = null;
            cuts++;
        }
    }

    /** In two halves, or some keys go and the others stay where they are. */
    private BucketCut beginCut(int number, KeyRange half) {
        if (random.nextBoolean()) {
            return BucketCut.begin(storage, number, half.space(), half.first());
        }
        int free = storage.moves().freeNumber();
        KeyRange one = new KeyRange(half.space(), half.first(), half.first());
        return BucketCut.separate(storage, number, List.of(one), free, random.nextInt(4) > 0);
    }

    /** Whether a row with the key belongs elsewhere than into the table. */
    private boolean isAway(TableStore store, long key) {
        Return under = coming;
        boolean isComing = under != null && contain(under.ranges, key);
        if (under != null && under.elsewhere.table(store.definition().id()).equals(store)) {
            return !isComing;
        }
        return isComing || away.stream().anyMatch(left -> contain(left.ranges, key));
    }

    private static boolean contain(List<KeyRange> ranges, long key) {
        long position = PartitionPlan.hash(1).positionOf(key);
        return ranges.stream().anyMatch(range -> range.contains(KeySpace.HASH, position));
    }

    /**
     * The other table comes as a whole, made from the first one: no row of it was ever changed as checkpoints see it.
     */
    private void copyWhole() {
        List<Integer> sources = List.of(0, 1, 2, 3);
        TableRewrite shadow = TableConversion.begin(storage, table(KEYED), table(NUMBERED), sources, 0);
        storage.prepareNext(shadow, Integer.MAX_VALUE);
        TableConversion.convert(storage, table(KEYED), table(NUMBERED), sources, 0);
    }

    /**
     * A table of any size goes in no time, and its rows do not fill the heap: the checkpoint under way takes them where
     * they are, and then its memory is free.
     */
    @Test
    void aTableThatGoesWaitsForTheCheckpointThatNeedsIt() {
        storage.marks().start();
        insert(300);
        scan.begin(new RowBatch(1 << 20));
        List<String> moment = dump();
        long usedBytes = storage.usedBytes();
        storage.retireTable(KEYED);
        storage.freeSome(Integer.MAX_VALUE);
        assertThat(storage.marks().savedRows()).isZero();
        assertThat(storage.usedBytes()).isEqualTo(usedBytes);

        List<Long> taken = new ArrayList<>();
        boolean isOver = false;
        while (!isOver) {
            RowBatch batch = new RowBatch(1 << 10);
            isOver = scan.fill(batch);
            batch.forEach((table, bucket, row, array, offset, length) -> taken.add(row));
        }
        assertThat(taken).hasSize(moment.size());
        assertThat(storage.usedBytes()).isLessThan(usedBytes);
        assertThat(scan.fill(new RowBatch(1 << 10))).isTrue();
    }

    /** Otherwise each table that goes after a failure of the device keeps its memory for good. */
    @Test
    void aCheckpointThatComesToNothingKeepsNoTable() {
        storage.marks().start();
        insert(300);
        long usedBytes = storage.usedBytes();
        scan.begin(new RowBatch(1 << 20));
        storage.retireTable(KEYED);
        assertThat(storage.usedBytes()).isEqualTo(usedBytes);
        boolean isOver = scan.abandon();
        while (!isOver) {
            isOver = scan.abandon();
        }
        assertThat(storage.usedBytes()).isLessThan(usedBytes);
        long leftBytes = storage.usedBytes();
        storage.createTable(table(KEYED));
        insert(300);
        storage.dropTable(KEYED);
        assertThat(storage.usedBytes()).isEqualTo(leftBytes);
    }

    private void insert(int rows) {
        RowImage image = new RowImage(storage.table(KEYED).layout());
        for (int i = 0; i < rows; i++) {
            image.setLong(0, i);
            image.setDouble(2, i);
            storage.table(KEYED).insert(image, storage.undoLog());
        }
        storage.undoLog().commit(1);
    }

    /** A table of any size comes in no time: what a checkpoint needs of it is done before one begins, in pieces. */
    @Test
    void aTableThatComesWholeIsMarkedPieceByPiece() {
        storage.marks().start();
        insert(100);
        RowBatch first = new RowBatch(1 << 20);
        scan.begin(first);
        assertThat(scan.fill(first)).isTrue();

        storage.dropTable(NUMBERED);
        copyWhole();
        assertThat(marked()).isZero();
        List<Integer> pieces = new ArrayList<>();
        while (!storage.marks().prepare(30)) {
            pieces.add(marked());
        }
        assertThat(pieces).hasSizeGreaterThanOrEqualTo(3).allMatch(marked -> marked <= 100);
        assertThat(pieces.getFirst()).isBetween(1, 30);
        assertThat(marked()).isEqualTo(100);

        storage.dropTable(NUMBERED);
        copyWhole();
        assertThat(marked()).isZero();
        scan.begin(new RowBatch(1 << 20)); // which does not wait for pieces
        assertThat(marked()).isEqualTo(100);
    }

    private int marked() {
        return (int) rows(storage.table(NUMBERED)).stream()
                .filter(row -> (RowLayout.flags(row) & (RowLayout.CHANGED | RowLayout.CHANGED_TOO)) != 0)
                .count();
    }

    /** Readers come and go, for whom deleted rows stay behind that no checkpoint may take for live ones. */
    private void readers() {
        if (random.nextBoolean()) {
            readers.add(storage.openReader(sequence, 0));
        }
        while (readers.size() > random.nextInt(4)) {
            readers.removeFirst().close();
        }
    }

    private void transaction() {
        UndoLog undo = storage.undoLog();
        for (int statements = random.nextInt(8); statements >= 0; statements--) {
            statement(storage.table(KEYED + random.nextInt(2)), undo);
            if (random.nextInt(6) == 0) {
                answer(true);
            }
        }
        if (random.nextInt(4) == 0) {
            undo.rollback();
        } else {
            undo.commit(++sequence);
            mostHeldBytes = Math.max(mostHeldBytes, undo.heldBytes());
        }
    }

    private void statement(TableStore store, UndoLog undo) {
        RowImage image = image(store);
        List<Long> rows = rows(store);
        long row = rows.isEmpty() ? 0 : rows.get(random.nextInt(rows.size()));
        try {
            switch (random.nextInt(rows.size() > 150 ? 9 : 6)) {
                case 0, 1, 2 -> store.insert(image, undo);
                case 3, 4 -> {
                    if (row != 0) {
                        UpdateShape shape =
                                random.nextBoolean() ? store.updateShape(1, 2) : store.updateShape(0, 1, 2, 3);
                        store.update(row, image, shape, undo);
                    }
                }
                default -> {
                    if (row != 0) {
                        store.delete(row, undo);
                    }
                }
            }
        } catch (FulmarException violation) {
            assertThat(store.layout().table().primaryKey()).isNotEmpty();
        }
    }

    private RowImage image(TableStore store) {
        RowImage image = new RowImage(store.layout());
        int key = random.nextInt(400);
        while (isAway(store, key)) {
            key = random.nextInt(400);
        }
        image.setLong(0, key);
        byte[] text = new byte[random.nextInt(random.nextInt(40) == 0 ? 3000 : 60)];
        Arrays.fill(text, (byte) ('a' + random.nextInt(26)));
        if (random.nextInt(4) > 0) {
            image.setBytes(1, text, 0, text.length);
        }
        image.setDouble(2, random.nextInt(1000));
        if (random.nextInt(4) > 0) {
            image.setBytes(3, text, 0, Math.min(text.length, random.nextInt(90)));
        }
        return image;
    }

    private static List<Long> rows(TableStore store) {
        List<Long> rows = new ArrayList<>();
        ScanCursor cursor = store.newScan();
        store.open(cursor);
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            rows.add(row);
        }
        return rows;
    }

    /** Everything that can be seen, in the order of slots. */
    private List<String> dump() {
        List<String> dump = new ArrayList<>();
        storage.stores().forEach(store -> dump(store, dump));
        for (BucketStaging staging : storage.moves().stagings()) {
            dump.add("staged " + staging.move() + " " + staging.chunks());
            staging.bucket().tables().forEach(store -> dump(store, dump));
        }
        return dump;
    }

    private static void dump(TableStore store, List<String> dump) {
        RowLayout layout = store.layout();
        for (long row : rows(store)) {
            byte[] bytes = new byte[StoredRow.bytes(layout, row)];
            StoredRow.write(layout, row, bytes, 0);
            int number = layout.hasRowNumber() ? OffHeap.getInt(row + layout.rowNumberOffset()) : -1;
            dump.add(store.definition().id() + " " + number + " " + RowLayout.commitTimestamp(row) + " "
                    + Arrays.hashCode(bytes));
        }
    }

    private void answer(boolean withinTransaction) {
        RowBatch batch = wanted;
        if (batch == null || (batch.isFirst() && withinTransaction)) {
            return;
        }
        if (batch.isFirst() && !storage.marks().prepare(1 + random.nextInt(20))) {
            return; // it is asked again
        }
        wanted = null;
        if (batch.isFirst()) {
            cut = dump();
            batch.at(new CheckpointPosition(sequence, 0, sequence, 0));
            scan.begin(batch);
            bounds.begin();
            bounds.fill(batch);
        }
        batch.complete(scan.fill(batch));
    }

    @Override
    public int partition() {
        return 0;
    }

    @Override
    public void request(RowBatch batch) {
        wanted = batch;
    }

    @Override
    public boolean isDurable(CheckpointPosition position) {
        return random.nextBoolean();
    }

    @Override
    public void published(int partition, CheckpointPosition position) {
        published = cut;
        publishedCount++;
    }

    @Override
    public void released(int partition, CheckpointPosition position) {
        assertThat(position.sequence()).isLessThanOrEqualTo(sequence);
    }

    @Override
    public void failed(FulmarException cause) {
        throw new AssertionError(cause.getMessage(), cause);
    }

    @Override
    public long logBytes() {
        return sequence;
    }

    @Override
    public long dirtyBytes() {
        return storage.marks().markedBytes();
    }
}
