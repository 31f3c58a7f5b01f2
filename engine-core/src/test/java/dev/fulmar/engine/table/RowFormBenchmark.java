package dev.fulmar.engine.table;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.partitioning.BucketMap;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongUnaryOperator;

/**
 * Prints what the form of a row is worth: a program, not a test. A short text in a block beside the slot is compared
 * with as many bytes in the slot, and slots that share cache lines with slots of whole lines. Rounds of the variants
 * take turns; figures are processor time, medians.
 */
public final class RowFormBenchmark {
    private static final int ROWS = 1_000_000;
    private static final int OPERATIONS = 1_000_000;
    private static final int ROUNDS = 7;
    private static final int TEXT_BYTES = 16;
    private static final int LINE_BYTES = 64;
    private static final int COMMIT_EACH = 20;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final PartitionStorage storage = new PartitionStorage(
            new ChunkSource(new MemoryBudget(8L << 30, "memory.limit")), BucketMap.single(), 256 << 20);
    private final UndoLog undo = storage.undoLog();
    private long state = 1;

    private RowFormBenchmark() {}

    /** Takes no arguments. */
    public static void main(String[] arguments) {
        RowFormBenchmark benchmark = new RowFormBenchmark();
        benchmark.texts();
        benchmark.lines();
    }

    private int draw(int bound) {
        state ^= state << 13;
        state ^= state >>> 7;
        state ^= state << 17;
        return (int) (((state >>> 32) * bound) >>> 32);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static double nanos(LongUnaryOperator operation) {
        long sum = 0;
        long start = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < OPERATIONS; i++) {
            sum += operation.applyAsLong(i);
        }
        double each = (THREADS.getCurrentThreadCpuTime() - start) / (double) OPERATIONS;
        return sum == 42 ? each + 1 : each;
    }

    private static void compare(
            String what, String one, LongUnaryOperator first, String other, LongUnaryOperator second) {
        double[] ofFirst = new double[ROUNDS];
        double[] ofSecond = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            ofFirst[round] = nanos(first);
            ofSecond[round] = nanos(second);
        }
        System.out.printf(
                Locale.ROOT,
                "%-28s %s %6.1f ns, %s %6.1f ns, ratio %.2f%n",
                what,
                one,
                median(ofFirst),
                other,
                median(ofSecond),
                median(ofSecond) / median(ofFirst));
    }

    private void texts() {
        TableStore block = table(new TableFixture(1, "IN_BLOCK")
                .column("K", TypeKind.INTEGER)
                .column("T", ColumnType.varchar(TEXT_BYTES))
                .column("N", TypeKind.BIGINT));
        TableStore slot = table(new TableFixture(2, "IN_SLOT")
                .column("K", TypeKind.INTEGER)
                .column("HIGH", TypeKind.BIGINT)
                .column("LOW", TypeKind.BIGINT)
                .column("N", TypeKind.BIGINT));
        RowImage ofBlock = new RowImage(block.layout());
        RowImage ofSlot = new RowImage(slot.layout());
        byte[] text = new byte[TEXT_BYTES];
        for (int key = 0; key < ROWS; key++) {
            setBlock(ofBlock, key, text);
            block.insert(ofBlock, undo);
            setSlot(ofSlot, key);
            slot.insert(ofSlot, undo);
            commitEach(key);
        }
        System.out.printf(
                Locale.ROOT,
                "bytes per row without indexes: block %.1f, slot %.1f%n",
                block.usedBytes() / (double) ROWS,
                slot.usedBytes() / (double) ROWS);
        Finder inBlock = new Finder(block);
        Finder inSlot = new Finder(slot);
        compareReads(block, inBlock, slot, inSlot);
        compareUpdates(block, inBlock, ofBlock, slot, inSlot, ofSlot);
        compareInserts(block, inBlock, ofBlock, slot, inSlot, ofSlot);
    }

    private void compareReads(TableStore block, Finder inBlock, TableStore slot, Finder inSlot) {
        compare(
                "read 16 bytes by key",
                "block",
                i -> {
                    long row = inBlock.find(draw(ROWS));
                    long bytes = block.layout().bytesAddress(row, 1);
                    return OffHeap.getLong(bytes) + OffHeap.getLong(bytes + Long.BYTES);
                },
                "slot",
                i -> {
                    long row = inSlot.find(draw(ROWS));
                    return slot.layout().getLong(row, 1) + slot.layout().getLong(row, 2);
                });
    }

    private void compareUpdates(
            TableStore block, Finder inBlock, RowImage ofBlock, TableStore slot, Finder inSlot, RowImage ofSlot) {
        byte[] text = new byte[TEXT_BYTES];
        UpdateShape texts = block.updateShape(1);
        UpdateShape numbers = slot.updateShape(1, 2);
        compare(
                "update 16 bytes by key",
                "block",
                i -> {
                    ofBlock.clear();
                    ofBlock.setBytes(1, text, 0, TEXT_BYTES);
                    long row = block.update(inBlock.find(draw(ROWS)), ofBlock, texts, undo);
                    commitEach(i);
                    return row;
                },
                "slot",
                i -> {
                    ofSlot.clear();
                    ofSlot.setLong(1, i);
                    ofSlot.setLong(2, i);
                    long row = slot.update(inSlot.find(draw(ROWS)), ofSlot, numbers, undo);
                    commitEach(i);
                    return row;
                });
    }

    private void compareInserts(
            TableStore block, Finder inBlock, RowImage ofBlock, TableStore slot, Finder inSlot, RowImage ofSlot) {
        byte[] text = new byte[TEXT_BYTES];
        compare(
                "delete and insert by key",
                "block",
                i -> {
                    int key = draw(ROWS);
                    block.delete(inBlock.find(key), undo);
                    undo.commit(1);
                    setBlock(ofBlock, key, text);
                    long row = block.insert(ofBlock, undo);
                    undo.commit(1);
                    return row;
                },
                "slot",
                i -> {
                    int key = draw(ROWS);
                    slot.delete(inSlot.find(key), undo);
                    undo.commit(1);
                    setSlot(ofSlot, key);
                    long row = slot.insert(ofSlot, undo);
                    undo.commit(1);
                    return row;
                });
    }

    private static void setBlock(RowImage image, int key, byte[] text) {
        image.clear();
        image.setLong(0, key);
        image.setBytes(1, text, 0, TEXT_BYTES);
        image.setLong(2, key);
    }

    private static void setSlot(RowImage image, int key) {
        image.clear();
        image.setLong(0, key);
        image.setLong(1, key);
        image.setLong(2, key);
        image.setLong(3, key);
    }

    /** Slots of 72 and 88 bytes, which a padding to whole lines would make slots of 128 bytes. */
    private void lines() {
        int id = 3;
        for (int numbers : new int[] {5, 7}) {
            TableStore close = numbers(id++, numbers);
            TableStore padded = numbers(id++, 12);
            Finder inClose = new Finder(close);
            Finder inPadded = new Finder(padded);
            System.out.printf(
                    Locale.ROOT,
                    "slots of %d and %d bytes; the first begin at %d and %d in their lines%n",
                    close.layout().slotBytes(),
                    padded.layout().slotBytes(),
                    inClose.find(0) % LINE_BYTES,
                    inPadded.find(0) % LINE_BYTES);
            compare(
                    "read " + numbers + " numbers by key",
                    "close",
                    i -> sum(close.layout(), inClose.find(draw(ROWS)), numbers),
                    "padded",
                    i -> sum(padded.layout(), inPadded.find(draw(ROWS)), numbers));
            UpdateShape ofClose = close.updateShape(1, numbers);
            UpdateShape ofPadded = padded.updateShape(1, numbers);
            RowImage image = new RowImage(close.layout());
            RowImage wide = new RowImage(padded.layout());
            compare(
                    "update two by key",
                    "close",
                    i -> update(close, inClose, image, ofClose, numbers, i),
                    "padded",
                    i -> update(padded, inPadded, wide, ofPadded, numbers, i));
        }
    }

    private long update(TableStore store, Finder finder, RowImage image, UpdateShape shape, int last, long number) {
        image.clear();
        image.setLong(1, number);
        image.setLong(last, number);
        long row = store.update(finder.find(draw(ROWS)), image, shape, undo);
        commitEach(number);
        return row;
    }

    private static long sum(RowLayout layout, long row, int numbers) {
        long sum = 0;
        for (int column = 1; column <= numbers; column++) {
            sum += layout.getLong(row, column);
        }
        return sum;
    }

    private TableStore numbers(int id, int numbers) {
        TableFixture fixture = new TableFixture(id, "N" + id).column("K", TypeKind.INTEGER);
        for (int number = 1; number <= numbers; number++) {
            fixture = fixture.column("C" + number, TypeKind.BIGINT);
        }
        TableStore store = table(fixture);
        RowImage image = new RowImage(store.layout());
        for (int key = 0; key < ROWS; key++) {
            image.clear();
            image.setLong(0, key);
            for (int number = 1; number <= numbers; number++) {
                image.setLong(number, key);
            }
            store.insert(image, undo);
            commitEach(key);
        }
        return store;
    }

    private TableStore table(TableFixture fixture) {
        Table table = fixture.partitionedOn(0).primaryKey(0).build();
        storage.createTable(table);
        return storage.table(table.id());
    }

    private void commitEach(long i) {
        if (i % COMMIT_EACH == COMMIT_EACH - 1) {
            undo.commit(1);
        }
    }

    /** Finds rows by their primary keys. */
    private static final class Finder {
        private final TableIndex index;
        private final SearchKey key;

        Finder(TableStore store) {
            index = store.primaryIndex();
            key = index.newKey();
        }

        long find(long number) {
            return index.find(key.reset().addLong(number));
        }
    }
}
