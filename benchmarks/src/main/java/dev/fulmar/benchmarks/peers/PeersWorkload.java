package dev.fulmar.benchmarks.peers;

import dev.fulmar.benchmarks.peers.procedure.GetRow;
import dev.fulmar.benchmarks.peers.procedure.LoadItems;
import dev.fulmar.benchmarks.peers.procedure.NewOrder;
import dev.fulmar.benchmarks.peers.procedure.Payment;
import dev.fulmar.benchmarks.peers.procedure.UpdateRow;
import dev.fulmar.benchmarks.workload.PipelinedCalls;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.benchmarks.workload.Statements;
import dev.fulmar.benchmarks.workload.TableChecks;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.benchmarks.workload.WorkloadScript;
import dev.fulmar.client.CallHandler;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.Invocation;
import dev.fulmar.client.PreparedCall;
import dev.fulmar.client.ResultTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The requests with which Fulmar is compared with its rivals. They are {@code get} and {@code update} of one uniformly
 * drawn row, and {@code tpcc}, which is TPC-C-lite. That is 51 % NewOrder and 49 % Payment without remote warehouses,
 * roll-backs, customers by last name, the other three transactions, and think times. It is no TPC-C result.
 */
public final class PeersWorkload implements Workload {
    /** The kinds of requests. */
    public enum Kind {
        GET,
        UPDATE,
        TPCC
    }

    private static final int ROWS = 100_000;
    private static final int FIELD_CHARACTERS = 100;
    private static final int LOAD_IN_FLIGHT = 512;
    private static final int ITEMS_PER_CALL = 1_000;
    private static final int WAREHOUSE_OPENING_CENTS = 300_000;
    private static final int DISTRICT_OPENING_CENTS = 30_000;
    private static final int FIRST_NEW_ORDER = 3_001;
    private static final int FIELDS = 10;
    private static final byte[] NEW_VALUE = "v".repeat(FIELD_CHARACTERS).getBytes(StandardCharsets.UTF_8);
    private static final String STREET = "street-street-street";
    private static final String CITY = "city-city";
    private static final String ZIP = "123456789";

    private final Kind kind;
    private final Map<String, Long> baseline = new LinkedHashMap<>();
    private final LongAdder newOrders = new LongAdder();
    private final LongAdder orderLines = new LongAdder();
    private final LongAdder payments = new LongAdder();
    private final LongAdder paidCents = new LongAdder();

    public PeersWorkload(Kind kind) {
        this.kind = kind;
    }

    @Override
    public String name() {
        return "peers-" + kind.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public List<Class<?>> procedureClasses() {
        return List.of(GetRow.class, UpdateRow.class, NewOrder.class, Payment.class, LoadItems.class);
    }

    @Override
    public String ddl() {
        return WorkloadScript.of(PeersWorkload.class);
    }

    @Override
    public void load(FulmarClient client, Progress progress) {
        PipelinedCalls calls = new PipelinedCalls(client, LOAD_IN_FLIGHT);
        String value = "x".repeat(FIELD_CHARACTERS);
        for (int key = 0; key < ROWS; key++) {
            calls.call("USERTABLE.insert", key, value, value, value, value, value, value, value, value, value, value);
        }
        progress.report("loading", 1, 4);
        for (int first = 1; first <= TpccLiteDraw.ITEMS; first += ITEMS_PER_CALL) {
            calls.call("LoadItems", first, first + ITEMS_PER_CALL - 1);
        }
        progress.report("loading", 2, 4);
        for (int warehouse = 1; warehouse <= TpccLiteDraw.WAREHOUSES; warehouse++) {
            loadWarehouse(calls, warehouse);
        }
        calls.drain();
        noteBaseline(client);
        progress.report("loading", 4, 4);
    }

    private static void loadWarehouse(PipelinedCalls calls, int w) {
        String s = "s".repeat(24);
        String data = "d".repeat(38);
        calls.call("WAREHOUSE.insert", w, "wname", STREET, CITY, "ST", ZIP, 0.1, WAREHOUSE_OPENING_CENTS);
        for (int item = 1; item <= TpccLiteDraw.ITEMS; item++) {
            calls.call("STOCK.insert", w, item, 10 + item % 91, s, s, s, s, s, s, s, s, s, s, 0, 0, 0, data);
        }
        String customerData = "c".repeat(300);
        for (int d = 1; d <= TpccLiteDraw.DISTRICTS; d++) {
            calls.call(
                    "DISTRICT.insert",
                    w,
                    d,
                    "dname",
                    STREET,
                    CITY,
                    "ST",
                    ZIP,
                    0.1,
                    DISTRICT_OPENING_CENTS,
                    FIRST_NEW_ORDER);
            for (int c = 1; c <= TpccLiteDraw.CUSTOMERS; c++) {
                calls.call(
                        "CUSTOMER.insert",
                        w,
                        d,
                        c,
                        "firstname",
                        "OE",
                        "BARBARBAR",
                        STREET,
                        CITY,
                        "ST",
                        ZIP,
                        "0123456789012345",
                        1,
                        "GC",
                        50_000,
                        0.1,
                        -10,
                        10,
                        1,
                        0,
                        customerData);
            }
        }
    }

    @Override
    public RequestSource requests(RandomGenerator random) {
        return switch (kind) {
            case GET -> new RowRequests("GetRow", random);
            case UPDATE -> new RowRequests("UpdateRow", random);
            case TPCC -> new TpccLite(random);
        };
    }

    /**
     * Notes what the tables hold before a load that is not the first on them; {@link #verifyRecord} then judges the
     * difference.
     */
    public void noteBaseline(FulmarClient client) {
        baseline.clear();
        expectedGrowth().keySet().forEach(query -> baseline.put(query, Statements.longOf(client, query)));
    }

    @Override
    public List<String> verifyTables(FulmarClient client, Progress progress) {
        String openingCents = Long.toString((long) TpccLiteDraw.WAREHOUSES * WAREHOUSE_OPENING_CENTS);
        String openingDistrictCents =
                Long.toString((long) TpccLiteDraw.WAREHOUSES * TpccLiteDraw.DISTRICTS * DISTRICT_OPENING_CENTS);
        String openingOrders = Long.toString((long) TpccLiteDraw.WAREHOUSES * TpccLiteDraw.DISTRICTS * FIRST_NEW_ORDER);
        String paid = "SELECT COALESCE(SUM(amt), 0) FROM history";
        return new TableChecks(client)
                .expect(ROWS, "rows in usertable", "SELECT COUNT(*) FROM usertable")
                .expectEqual("SELECT COUNT(*) FROM orders", "SELECT SUM(nxt) - " + openingOrders + " FROM district")
                .expectEqual("SELECT COUNT(*) FROM orders", "SELECT COUNT(*) FROM new_order")
                .expectEqual("SELECT COUNT(*) FROM order_line", "SELECT COALESCE(SUM(n), 0) FROM orders")
                .expectEqual("SELECT COUNT(*) FROM order_line", "SELECT SUM(cnt) FROM stock")
                .expectEqual(paid, "SELECT SUM(ytd) - " + openingCents + " FROM warehouse")
                .expectEqual(paid, "SELECT SUM(ytd) - " + openingDistrictCents + " FROM district")
                .problems();
    }

    @Override
    public List<String> verifyRecord(FulmarClient client, Progress progress) {
        List<String> problems = new ArrayList<>();
        expectedGrowth().forEach((query, growth) -> {
            long expected = baseline.getOrDefault(query, 0L) + growth;
            long found = Statements.longOf(client, query);
            if (found != expected) {
                problems.add(query + " gives " + found + ", but clients saw " + expected);
            }
        });
        return problems;
    }

    /** By how much the requests that clients saw committed make each figure grow. */
    private Map<String, Long> expectedGrowth() {
        Map<String, Long> growth = new LinkedHashMap<>();
        growth.put("SELECT COUNT(*) FROM usertable", 0L);
        growth.put("SELECT COUNT(*) FROM orders", newOrders.sum());
        growth.put("SELECT COUNT(*) FROM new_order", newOrders.sum());
        growth.put("SELECT COUNT(*) FROM order_line", orderLines.sum());
        growth.put("SELECT COUNT(*) FROM history", payments.sum());
        growth.put("SELECT COALESCE(SUM(amt), 0) FROM history", paidCents.sum());
        growth.put("SELECT SUM(ytd) FROM warehouse", paidCents.sum());
        growth.put("SELECT SUM(ytd) FROM district", paidCents.sum());
        growth.put("SELECT SUM(nxt) FROM district", newOrders.sum());
        growth.put("SELECT SUM(cnt) FROM stock", orderLines.sum());
        return growth;
    }

    /** Reads or updates single rows; every field of a row that comes back is decoded. */
    private final class RowRequests implements RequestSource {
        private final String procedure;
        private final RandomGenerator random;
        private @Nullable PreparedCall prepared;
        private int key;

        RowRequests(String procedure, RandomGenerator random) {
            this.procedure = procedure;
            this.random = random;
        }

        @Override
        public CompletableFuture<CallResult> send(FulmarClient client) {
            return next(client).callAsync();
        }

        @Override
        public void send(FulmarClient client, CallHandler handler) {
            next(client).send(handler);
        }

        private Invocation next(FulmarClient client) {
            PreparedCall call = prepared;
            if (call == null) {
                call = client.prepare(procedure);
                prepared = call;
            }
            key = random.nextInt(ROWS);
            Invocation invocation = call.start().with(key);
            return kind == Kind.UPDATE ? invocation.withUtf8(NEW_VALUE, 0, NEW_VALUE.length) : invocation;
        }

        @Override
        public void committed(CallResult result) {
            boolean isRight = kind == Kind.UPDATE ? result.longValue() == 1 : isRow(result.table());
            if (!isRight) {
                throw new IllegalStateException(procedure + " of key " + key + " yielded something else than this row");
            }
        }

        private boolean isRow(ResultTable row) {
            boolean isRight = row.rowCount() == 1 && row.next() && row.getLong(0) == key;
            for (int field = 1; isRight && field < row.columnCount(); field++) {
                byte[] value = row.getBytes(field);
                isRight = value != null && value.length == FIELD_CHARACTERS;
            }
            return isRight && row.columnCount() == FIELDS + 1;
        }
    }

    private final class TpccLite implements RequestSource {
        private final TpccLiteDraw draw;

        TpccLite(RandomGenerator random) {
            draw = new TpccLiteDraw(random);
        }

        @Override
        public CompletableFuture<CallResult> send(FulmarClient client) {
            draw.next();
            return client.callAsync(draw.procedure(), draw.arguments());
        }

        @Override
        public void committed(CallResult result) {
            if (draw.isNewOrder()) {
                newOrders.increment();
                orderLines.add(draw.lines());
            } else {
                payments.increment();
                paidCents.add(draw.cents());
            }
        }
    }
}
