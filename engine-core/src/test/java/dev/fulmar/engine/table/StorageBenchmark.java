package dev.fulmar.engine.table;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partitioning.BucketMap;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongUnaryOperator;

/**
 * Prints what single operations on 200,000 rows cost, keys drawn at random: a program, not a test. Each figure is
 * processor time, the best of several rounds, because other work on the machine only ever adds.
 */
public final class StorageBenchmark {
    private static final int ROWS = 200_000;
    private static final int OPERATIONS = 1_000_000;
    private static final int ROUNDS = 5;
    private static final int BATCH = 20;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final PartitionStorage storage = new PartitionStorage(
            new ChunkSource(new MemoryBudget(8L << 30, "memory.limit")), BucketMap.single(), 256 << 20);
    private final UndoLog undo = storage.undoLog();
    private long state = 1;

    private StorageBenchmark() {}

    /** Runs what the arguments name (stock, order-lines, usertable), or everything. */
    public static void main(String[] arguments) {
        StorageBenchmark benchmark = new StorageBenchmark();
        Set<String> chosen = Set.of(arguments);
        if (chosen.isEmpty() || chosen.contains("stock")) {
            benchmark.stock();
        }
        if (chosen.isEmpty() || chosen.contains("order-lines")) {
            benchmark.orderLines();
        }
        if (chosen.isEmpty() || chosen.contains("usertable")) {
            benchmark.usertable();
        }
    }

    private int draw(int bound) {
        state ^= state << 13;
        state ^= state >>> 7;
        state ^= state << 17;
        return (int) (((state >>> 32) * bound) >>> 32);
    }

    private void measure(String what, int operations, LongUnaryOperator operation) {
        double best = Double.MAX_VALUE;
        long sum = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long start = THREADS.getCurrentThreadCpuTime();
            for (int i = 0; i < operations; i++) {
                sum += operation.applyAsLong(i);
            }
            best = Math.min(best, (THREADS.getCurrentThreadCpuTime() - start) / (double) operations);
        }
        System.out.printf(Locale.ROOT, "%-60s %7.1f ns   (%d)%n", what, best, sum & 1);
    }

    private void stock() {
        Table table = new TableFixture(1, "STOCK")
                .column("W", TypeKind.INTEGER)
                .column("I", TypeKind.INTEGER)
                .nullable("QTY", ColumnType.of(TypeKind.INTEGER))
                .nullable("DIST", ColumnType.varchar(240))
                .nullable("YTD", ColumnType.of(TypeKind.BIGINT))
                .nullable("CNT", ColumnType.of(TypeKind.INTEGER))
                .partitionedOn(0)
                .primaryKey(0, 1)
                .build();
        storage.createTable(table);
        TableStore store = storage.table(1);
        RowImage image = new RowImage(store.layout());
        fillStock(store, image);
        TableIndex hash = store.index(1);
        TableIndex tree = store.index(2);
        SearchKey hashKey = hash.newKey();
        SearchKey treeKey = tree.newKey();
        measure("drawing a key", OPERATIONS, i -> draw(2) + draw(100_000));
        measure(
                "hash index, two ints: find",
                OPERATIONS,
                i -> hash.find(hashKey.reset().addLong(draw(2)).addLong(draw(100_000))));
        measure(
                "ordered index, two ints: find",
                OPERATIONS,
                i -> tree.find(treeKey.reset().addLong(draw(2)).addLong(draw(100_000))));
        measureRange(tree);
        UpdateShape shape = store.updateShape(2, 4, 5);
        measure("find and update three numbers, commit each 20", OPERATIONS, i -> {
            long row = hash.find(hashKey.reset().addLong(draw(2)).addLong(draw(100_000)));
            image.clear();
            image.setLong(2, store.layout().getLong(row, 2) + 1);
            image.setLong(4, store.layout().getLong(row, 4) + 1);
            image.setLong(5, store.layout().getLong(row, 5) + 1);
            store.update(row, image, shape, undo);
            commitEach(i);
            return row;
        });
        ScanCursor scan = store.newScan();
        measure("scan, per row", ROWS * 4, i -> {
            if (i % ROWS == 0) {
                store.open(scan);
            }
            return scan.next();
        });
        print(store);
    }

    private void fillStock(TableStore store, RowImage image) {
        byte[] dist = new byte[240];
        for (int i = 0; i < ROWS; i++) {
            image.clear();
            image.setLong(0, i / 100_000);
            image.setLong(1, i % 100_000);
            image.setLong(2, 50);
            image.setBytes(3, dist, 0, dist.length);
            image.setLong(4, 0);
            image.setLong(5, 0);
            store.insert(image, undo);
        }
        undo.commit(1);
    }

    private void measureRange(TableIndex tree) {
        IndexCursor cursor = tree.newCursor();
        var range = tree.newRange();
        measure("ordered index: range of 10 rows", OPERATIONS / 4, i -> {
            int from = draw(99_000);
            range.reset().prefix().addLong(draw(2));
            range.beginLower(true).addLong(from);
            range.beginUpper(false).addLong(from + 10);
            tree.open(cursor, range, false);
            long sum = 0;
            for (long row = cursor.next(); row != 0; row = cursor.next()) {
                sum += row;
            }
            return sum;
        });
    }

    private void commitEach(long i) {
        if (i % BATCH == BATCH - 1) {
            undo.commit(i);
        }
    }

    private static void print(TableStore store) {
        System.out.printf(
                Locale.ROOT,
                "%d rows: %.1f bytes a row, indexes %.1f and %.1f%n",
                store.rowCount(),
                (double) store.usedBytes() / store.rowCount(),
                (double) store.index(1).usedBytes() / store.rowCount(),
                (double) store.index(2).usedBytes() / store.rowCount());
    }

    private int[] nextOrder = new int[20];
    private int line;
    private int district;

    private void orderLines() {
        Table table = new TableFixture(2, "ORDER_LINE")
                .column("W", TypeKind.INTEGER)
                .column("D", TypeKind.INTEGER)
                .column("O", TypeKind.INTEGER)
                .column("L", TypeKind.INTEGER)
                .nullable("I", ColumnType.of(TypeKind.INTEGER))
                .nullable("SW", ColumnType.of(TypeKind.INTEGER))
                .nullable("Q", ColumnType.of(TypeKind.INTEGER))
                .nullable("AMT", ColumnType.of(TypeKind.BIGINT))
                .nullable("DIST", ColumnType.varchar(24))
                .partitionedOn(0)
                .primaryKey(0, 1, 2, 3)
                .build();
        storage.createTable(table);
        TableStore store = storage.table(2);
        RowImage image = new RowImage(store.layout());
        byte[] dist = new byte[24];
        measure("insert an order line, both indexes, commit each 20", OPERATIONS, i -> {
            if (line == 10) {
                nextOrder[district]++;
                district = draw(20);
                line = 0;
            }
            image.clear();
            image.setLong(0, district / 10);
            image.setLong(1, district % 10);
            image.setLong(2, nextOrder[district]);
            image.setLong(3, line++);
            image.setLong(4, i % 1000);
            image.setLong(5, 1);
            image.setLong(6, 5);
            image.setLong(7, 1234);
            image.setBytes(8, dist, 0, dist.length);
            long row = store.insert(image, undo);
            commitEach(i);
            return row;
        });
        print(store);
        storage.dropTable(2);
    }

    private void usertable() {
        TableFixture fixture = new TableFixture(3, "USERTABLE").column("K", TypeKind.INTEGER);
        for (int field = 0; field < 10; field++) {
            fixture.nullable("F" + field, ColumnType.varchar(100));
        }
        storage.createTable(fixture.partitionedOn(0).primaryKey(0).build());
        TableStore store = storage.table(3);
        RowImage image = new RowImage(store.layout());
        byte[] field = new byte[100];
        measureOnce("load a row of 1 KB", ROWS, i -> {
            image.clear();
            image.setLong(0, i);
            for (int column = 1; column <= 10; column++) {
                image.setBytes(column, field, 0, field.length);
            }
            long row = store.insert(image, undo);
            commitEach(i);
            return row;
        });
        TableIndex hash = store.index(1);
        SearchKey key = hash.newKey();
        UpdateShape[] shapes = new UpdateShape[11];
        for (int column = 1; column <= 10; column++) {
            shapes[column] = store.updateShape(column);
        }
        measure("find a row of 1 KB", OPERATIONS, i -> hash.find(key.reset().addLong(draw(ROWS))));
        measure("find and update a field of 100 bytes, commit each", OPERATIONS, i -> {
            long row = hash.find(key.reset().addLong(draw(ROWS)));
            int column = 1 + draw(10);
            image.clear();
            image.setBytes(column, field, 0, field.length);
            store.update(row, image, shapes[column], undo);
            undo.commit(i);
            return row;
        });
        print(store);
    }

    private static void measureOnce(String what, int operations, LongUnaryOperator operation) {
        long sum = 0;
        long start = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < operations; i++) {
            sum += operation.applyAsLong(i);
        }
        double nanos = (THREADS.getCurrentThreadCpuTime() - start) / (double) operations;
        System.out.printf(Locale.ROOT, "%-60s %7.1f ns   (%d)%n", what, nanos, sum & 1);
    }
}
