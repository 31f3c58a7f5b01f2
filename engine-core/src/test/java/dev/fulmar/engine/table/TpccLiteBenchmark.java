package dev.fulmar.engine.table;

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
import java.util.Locale;

/**
 * What storage alone takes of a simplified TPC-C: 51 % NewOrder and 49 % Payment, each statement of the procedures as
 * look-up, reads and writes with both primary key indexes, undo and commit; parameters are drawn in line. A program,
 * not a test.
 */
public final class TpccLiteBenchmark {
    private static final int WAREHOUSES = 2;
    private static final int DISTRICTS = 10;
    private static final int CUSTOMERS = 3_000;
    private static final int ITEMS = 100_000;
    private static final int TRANSACTIONS = 500_000;
    private static final int ROUNDS = 4;
    private static final int DIST_BYTES = 24;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final PartitionStorage storage = new PartitionStorage(
            new ChunkSource(new MemoryBudget(12L << 30, "memory.limit")), BucketMap.single(), 256 << 20);
    private final UndoLog undo = storage.undoLog();
    private final Access warehouse = new Access(new TableFixture(1, "WAREHOUSE")
            .column("W", TypeKind.INTEGER)
            .nullable("NAME", ColumnType.varchar(30))
            .nullable("STREET", ColumnType.varchar(30))
            .nullable("TAX", ColumnType.of(TypeKind.DOUBLE))
            .nullable("YTD", ColumnType.of(TypeKind.BIGINT))
            .partitionedOn(0)
            .primaryKey(0));
    private final Access district = new Access(new TableFixture(2, "DISTRICT")
            .column("W", TypeKind.INTEGER)
            .column("D", TypeKind.INTEGER)
            .nullable("NAME", ColumnType.varchar(30))
            .nullable("STREET", ColumnType.varchar(30))
            .nullable("TAX", ColumnType.of(TypeKind.DOUBLE))
            .nullable("YTD", ColumnType.of(TypeKind.BIGINT))
            .nullable("NXT", ColumnType.of(TypeKind.INTEGER))
            .partitionedOn(0)
            .primaryKey(0, 1));
    private final Access customer = new Access(new TableFixture(3, "CUSTOMER")
            .column("W", TypeKind.INTEGER)
            .column("D", TypeKind.INTEGER)
            .column("C", TypeKind.INTEGER)
            .nullable("FIRSTN", ColumnType.varchar(30))
            .nullable("LASTN", ColumnType.varchar(30))
            .nullable("CREDIT", ColumnType.varchar(2))
            .nullable("DISC", ColumnType.of(TypeKind.DOUBLE))
            .nullable("BAL", ColumnType.of(TypeKind.BIGINT))
            .nullable("YTDPAY", ColumnType.of(TypeKind.BIGINT))
            .nullable("PCNT", ColumnType.of(TypeKind.INTEGER))
            .nullable("DATA", ColumnType.varchar(500))
            .partitionedOn(0)
            .primaryKey(0, 1, 2));
    private final Access item = new Access(new TableFixture(4, "ITEM")
            .column("I", TypeKind.INTEGER)
            .nullable("NAME", ColumnType.varchar(30))
            .nullable("PRICE", ColumnType.of(TypeKind.BIGINT))
            .nullable("DATA", ColumnType.varchar(50))
            .primaryKey(0));
    private final Access stock = new Access(stockTable());
    private final Access orders = new Access(new TableFixture(6, "ORDERS")
            .column("W", TypeKind.INTEGER)
            .column("D", TypeKind.INTEGER)
            .column("O", TypeKind.INTEGER)
            .nullable("C", ColumnType.of(TypeKind.INTEGER))
            .nullable("T", ColumnType.of(TypeKind.BIGINT))
            .nullable("CARRIER", ColumnType.of(TypeKind.INTEGER))
            .nullable("N", ColumnType.of(TypeKind.INTEGER))
            .nullable("LOC", ColumnType.of(TypeKind.INTEGER))
            .partitionedOn(0)
            .primaryKey(0, 1, 2));
    private final Access newOrder = new Access(new TableFixture(7, "NEW_ORDER")
            .column("W", TypeKind.INTEGER)
            .column("D", TypeKind.INTEGER)
            .column("O", TypeKind.INTEGER)
            .partitionedOn(0)
            .primaryKey(0, 1, 2));
    private final Access orderLine = new Access(new TableFixture(8, "ORDER_LINE")
            .column("W", TypeKind.INTEGER)
            .column("D", TypeKind.INTEGER)
            .column("O", TypeKind.INTEGER)
            .column("L", TypeKind.INTEGER)
            .nullable("I", ColumnType.of(TypeKind.INTEGER))
            .nullable("SW", ColumnType.of(TypeKind.INTEGER))
            .nullable("Q", ColumnType.of(TypeKind.INTEGER))
            .nullable("AMT", ColumnType.of(TypeKind.BIGINT))
            .nullable("DIST", ColumnType.varchar(DIST_BYTES))
            .partitionedOn(0)
            .primaryKey(0, 1, 2, 3));
    private final Access history = new Access(new TableFixture(9, "HISTORY")
            .nullable("C", ColumnType.of(TypeKind.INTEGER))
            .nullable("D", ColumnType.of(TypeKind.INTEGER))
            .column("W", TypeKind.INTEGER)
            .nullable("HD", ColumnType.of(TypeKind.INTEGER))
            .nullable("HW", ColumnType.of(TypeKind.INTEGER))
            .nullable("T", ColumnType.of(TypeKind.BIGINT))
            .nullable("AMT", ColumnType.of(TypeKind.BIGINT))
            .nullable("DATA", ColumnType.varchar(100))
            .partitionedOn(2));
    private final UpdateShape payWarehouse = warehouse.store.updateShape(4);
    private final UpdateShape payDistrict = district.store.updateShape(5);
    private final UpdateShape advanceDistrict = district.store.updateShape(6);
    private final UpdateShape payCustomer = customer.store.updateShape(7, 8, 9);
    private final UpdateShape updateStock = stock.store.updateShape(2, 3, 4);
    private final byte[] result = new byte[1024];
    private final byte[] text =
            "some text that is neither long nor short, only text".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    private final int[] items = new int[15];
    private final int[] quantities = new int[15];
    private long state = 88172645463325252L;
    private long now;

    private TpccLiteBenchmark() {}

    private final class Access {
        private final TableStore store;
        private final RowImage image;
        private final RowLayout layout;
        private final TableIndex index;
        private final SearchKey key;

        Access(TableFixture fixture) {
            var table = fixture.build();
            storage.createTable(table);
            store = storage.table(table.id());
            layout = store.layout();
            image = new RowImage(layout);
            index = table.primaryKey().isEmpty() ? stock.index : store.primaryIndex();
            key = index.newKey();
        }

        long find(int first) {
            return index.find(key.reset().addLong(first));
        }

        long find(int first, int second) {
            return index.find(key.reset().addLong(first).addLong(second));
        }

        long find(int first, int second, int third) {
            return index.find(key.reset().addLong(first).addLong(second).addLong(third));
        }

        RowImage begin() {
            image.clear();
            return image;
        }

        void insert() {
            store.insert(image, undo);
        }

        int read(long row, int column, int at) {
            int length = layout.bytesLength(row, column);
            OffHeap.copy(layout.bytesAddress(row, column), result, at, length);
            return at + length;
        }
    }

    private static TableFixture stockTable() {
        TableFixture fixture = new TableFixture(5, "STOCK")
                .column("W", TypeKind.INTEGER)
                .column("I", TypeKind.INTEGER)
                .nullable("QTY", ColumnType.of(TypeKind.INTEGER))
                .nullable("YTD", ColumnType.of(TypeKind.BIGINT))
                .nullable("CNT", ColumnType.of(TypeKind.INTEGER));
        for (int i = 1; i <= DISTRICTS; i++) {
            fixture.nullable("DIST" + i, ColumnType.varchar(DIST_BYTES));
        }
        return fixture.nullable("DATA", ColumnType.varchar(50)).partitionedOn(0).primaryKey(0, 1);
    }

    /** Loads and runs. */
    public static void main(String[] arguments) {
        TpccLiteBenchmark benchmark = new TpccLiteBenchmark();
        benchmark.load();
        double sum = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            long processorStart = THREADS.getCurrentThreadCpuTime();
            sum += benchmark.run();
            double seconds = (System.nanoTime() - start) / 1e9;
            double processorSeconds = (THREADS.getCurrentThreadCpuTime() - processorStart) / 1e9;
            System.out.printf(
                    Locale.ROOT,
                    "storage alone, TPC-C-lite: %.0f tx/s, %.0f per second of processor time%n",
                    TRANSACTIONS / seconds,
                    TRANSACTIONS / processorSeconds);
        }
        System.out.println(sum > 0 ? "" : "nothing was sold");
    }

    private void load() {
        for (int i = 1; i <= ITEMS; i++) {
            RowImage row = item.begin();
            row.setLong(0, i);
            row.setBytes(1, text, 0, 20);
            row.setLong(2, 100 + i % 9900);
            row.setBytes(3, text, 0, 40);
            item.insert();
            end(i);
        }
        for (int w = 1; w <= WAREHOUSES; w++) {
            loadWarehouse(w);
        }
        undo.commit(1);
    }

    private void loadWarehouse(int w) {
        RowImage row = warehouse.begin();
        row.setLong(0, w);
        row.setBytes(1, text, 0, 10);
        row.setBytes(2, text, 0, 20);
        row.setDouble(3, 0.1);
        row.setLong(4, 0);
        warehouse.insert();
        for (int i = 1; i <= ITEMS; i++) {
            row = stock.begin();
            row.setLong(0, w);
            row.setLong(1, i);
            row.setLong(2, 50);
            row.setLong(3, 0);
            row.setLong(4, 0);
            for (int d = 0; d < DISTRICTS; d++) {
                row.setBytes(5 + d, text, d, DIST_BYTES);
            }
            row.setBytes(15, text, 0, 40);
            stock.insert();
            end(i);
        }
        for (int d = 1; d <= DISTRICTS; d++) {
            row = district.begin();
            row.setLong(0, w);
            row.setLong(1, d);
            row.setBytes(2, text, 0, 10);
            row.setBytes(3, text, 0, 20);
            row.setDouble(4, 0.05);
            row.setLong(5, 0);
            row.setLong(6, 1);
            district.insert();
            for (int c = 1; c <= CUSTOMERS; c++) {
                row = customer.begin();
                row.setLong(0, w);
                row.setLong(1, d);
                row.setLong(2, c);
                row.setBytes(3, text, 0, 12);
                row.setBytes(4, text, 5, 12);
                row.setBytes(5, text, 0, 2);
                row.setDouble(6, 0.2);
                row.setLong(7, 0);
                row.setLong(8, 0);
                row.setLong(9, 0);
                row.setBytes(10, new byte[400], 0, 400);
                customer.insert();
                end(c);
            }
        }
    }

    private void end(int i) {
        if (i % 100 == 0) {
            undo.commit(1);
        }
    }

    private double run() {
        double sum = 0;
        for (int i = 0; i < TRANSACTIONS; i++) {
            int w = 1 + draw(WAREHOUSES);
            int d = 1 + draw(DISTRICTS);
            int c = nonUniform(1023, CUSTOMERS);
            now++;
            sum += draw(100) < 51 ? newOrder(w, d, c) : payment(w, d, c, 100 + draw(499_900));
            undo.commit(now);
        }
        return sum;
    }

    private int draw(int bound) {
        state ^= state << 13;
        state ^= state >>> 7;
        state ^= state << 17;
        return (int) ((state >>> 8) % bound);
    }

    private int nonUniform(int a, int range) {
        return ((draw(a + 1) | (1 + draw(range))) + 123) % range + 1;
    }

    private double newOrder(int w, int d, int c) {
        int lines = 5 + draw(11);
        for (int line = 0; line < lines; line++) {
            items[line] = nonUniform(8191, ITEMS);
            quantities[line] = 1 + draw(10);
        }
        double warehouseTax = warehouse.layout.getDouble(warehouse.find(w), 3);
        long districtRow = district.find(w, d);
        double districtTax = district.layout.getDouble(districtRow, 4);
        int order = (int) district.layout.getLong(districtRow, 6);
        long customerRow = customer.find(w, d, c);
        double discount = customer.layout.getDouble(customerRow, 6);
        customer.read(customerRow, 5, customer.read(customerRow, 4, 0));
        district.begin().setLong(6, order + 1);
        district.store.update(district.find(w, d), district.image, advanceDistrict, undo);
        insertOrder(w, d, c, order, lines);
        long total = 0;
        for (int line = 0; line < lines; line++) {
            total += orderLine(w, d, order, line);
        }
        return total * (1 - discount) * (1 + warehouseTax + districtTax);
    }

    private void insertOrder(int w, int d, int c, int order, int lines) {
        RowImage row = orders.begin();
        row.setLong(0, w);
        row.setLong(1, d);
        row.setLong(2, order);
        row.setLong(3, c);
        row.setLong(4, now);
        row.setLong(5, 0);
        row.setLong(6, lines);
        row.setLong(7, 1);
        orders.insert();
        row = newOrder.begin();
        row.setLong(0, w);
        row.setLong(1, d);
        row.setLong(2, order);
        newOrder.insert();
    }

    private long orderLine(int w, int d, int order, int line) {
        long itemRow = item.find(items[line]);
        long price = item.layout.getLong(itemRow, 2);
        item.read(itemRow, 3, item.read(itemRow, 1, 0));
        long stockRow = stock.find(w, items[line]);
        long quantity = stock.layout.getLong(stockRow, 2) - quantities[line];
        long yearToDate = stock.layout.getLong(stockRow, 3) + quantities[line];
        long count = stock.layout.getLong(stockRow, 4) + 1;
        int end = 0;
        for (int column = 5; column < 16; column++) {
            end = stock.read(stockRow, column, end);
        }
        RowImage row = stock.begin();
        row.setLong(2, quantity < 10 ? quantity + 91 : quantity);
        row.setLong(3, yearToDate);
        row.setLong(4, count);
        stock.store.update(stock.find(w, items[line]), row, updateStock, undo);
        long amount = quantities[line] * price;
        row = orderLine.begin();
        row.setLong(0, w);
        row.setLong(1, d);
        row.setLong(2, order);
        row.setLong(3, line + 1);
        row.setLong(4, items[line]);
        row.setLong(5, w);
        row.setLong(6, quantities[line]);
        row.setLong(7, amount);
        row.setBytes(8, result, DIST_BYTES * (d - 1), DIST_BYTES);
        orderLine.insert();
        return amount;
    }

    private double payment(int w, int d, int c, long amount) {
        long warehouseRow = warehouse.find(w);
        int end = warehouse.read(warehouseRow, 2, warehouse.read(warehouseRow, 1, 0));
        long districtRow = district.find(w, d);
        end = district.read(districtRow, 3, district.read(districtRow, 2, end));
        warehouseRow = warehouse.find(w);
        warehouse.begin().setLong(4, warehouse.layout.getLong(warehouseRow, 4) + amount);
        warehouse.store.update(warehouseRow, warehouse.image, payWarehouse, undo);
        districtRow = district.find(w, d);
        district.begin().setLong(5, district.layout.getLong(districtRow, 5) + amount);
        district.store.update(districtRow, district.image, payDistrict, undo);
        long customerRow = customer.find(w, d, c);
        RowImage row = customer.begin();
        row.setLong(7, customer.layout.getLong(customerRow, 7) - amount);
        row.setLong(8, customer.layout.getLong(customerRow, 8) + amount);
        row.setLong(9, customer.layout.getLong(customerRow, 9) + 1);
        customer.store.update(customerRow, row, payCustomer, undo);
        customerRow = customer.find(w, d, c);
        customer.read(customerRow, 5, customer.read(customerRow, 4, customer.read(customerRow, 3, 0)));
        row = history.begin();
        row.setLong(0, c);
        row.setLong(1, d);
        row.setLong(2, w);
        row.setLong(3, d);
        row.setLong(4, w);
        row.setLong(5, now);
        row.setLong(6, amount);
        row.setBytes(7, result, 0, 20);
        history.insert();
        return end;
    }
}
