package dev.fulmar.node.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.portal.PortalRouter;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.partitioning.KeyRanges;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.procedure.loading.LoadingLimits;
import dev.fulmar.engine.procedure.loading.ProcedureJar;
import dev.fulmar.engine.spi.Statistics;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.audit.AuditEvent;
import dev.fulmar.node.server.ClientOrigin;
import dev.fulmar.node.server.SystemProcedure;
import dev.fulmar.reconfig.move.Reconfiguration;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SystemProcedureTableTest {
    private static final ClientOrigin LOCAL = new ClientOrigin("127.0.0.1:5", true);

    private final MBeanServer beans = MBeanServerFactory.newMBeanServer();
    private final List<TransactionRequest> routed = new ArrayList<>();
    private final AtomicInteger stops = new AtomicInteger();
    private final FakeControl control = new FakeControl();
    private final List<AuditEvent> audited = new ArrayList<>();
    private final PortalRouter portals = new PortalRouter() {
        @Override
        public void open(long number, int rows, TransactionRequest.AdHoc query, ResponseSink sink) {
            routed.add(query);
            tell("open " + number + " for " + rows, query, sink);
        }

        @Override
        public void fetch(long number, int rows, TransactionRequest request, ResponseSink sink) {
            tell("fetch " + rows + " of " + number, request, sink);
        }

        @Override
        public void close(long number, TransactionRequest request, ResponseSink sink) {
            tell("close " + number, request, sink);
        }

        private void tell(String what, TransactionRequest request, ResponseSink sink) {
            sink.respond(request, new TransactionResponse.Failed(ErrorCode.SYNTAX, what));
            sink.flush();
        }
    };
    private final SystemProcedureTable table = new SystemProcedureTable(
            (request, sink) -> {
                routed.add(request);
                sink.respond(request, new TransactionResponse.Failed(ErrorCode.SYNTAX, "from the router"));
                sink.flush();
            },
            (number, statement, sink) -> {
                routed.add(statement);
                sink.respond(statement, new TransactionResponse.Failed(ErrorCode.SYNTAX, "from transaction " + number));
                sink.flush();
            },
            portals,
            control,
            beans,
            4,
            Runnable::run,
            audited::add);

    /** What the test lets system procedures see of a node. */
    private final List<String> backups = new ArrayList<>();

    private static final int LARGE_BYTES = 600_000;
    private static final List<ProcedureJar> JARS = List.of(jar(10), jar(LARGE_BYTES));

    /** A jar that is not much smaller than the class in it. */
    private static ProcedureJar jar(int bytes) {
        byte[] noise = new byte[bytes];
        new Random(bytes).nextBytes(noise);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("shop/Sale.class"));
            zip.write(noise);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ProcedureJar.of(out.toByteArray(), LoadingLimits.DEFAULT);
    }

    private final class FakeControl implements NodeControl {
        @Override
        public void backUp(String directory) {
            backups.add(directory);
        }

        private byte @Nullable [] jar;

        @Override
        public Catalog catalog() {
            return SystemProcedureTableTest.catalog();
        }

        @Override
        public PartitionPlan plan() {
            return PartitionPlan.of(
                    3,
                    new KeyRanges(List.of(Long.MIN_VALUE), List.of(1)),
                    new KeyRanges(List.of(Long.MIN_VALUE, 5L), List.of(1, 0)));
        }

        @Override
        public Reconfiguration reconfiguration() {
            throw new FulmarException(ErrorCode.NOT_SUPPORTED, "no keys move here");
        }

        @Override
        public Statistics statistics() {
            Statistics.KeyValues owners = new Statistics.KeyValues(List.of(1), 12);
            Statistics.TableFigures figures = new Statistics.TableFigures(100, List.of(owners));
            int account = catalog().table("ACCOUNT").id();
            return new Statistics(new TreeMap<>(Map.of(account, figures, account + 1_000, figures)));
        }

        @Override
        public List<String> valueReasons(String procedure) {
            return procedure.equals("Other") ? List.of("one", "two") : List.of();
        }

        @Override
        public List<ProcedureJar> jars() {
            return JARS;
        }

        @Override
        public CompletableFuture<TransactionResponse> loadClasses(byte[] bytes) {
            if (bytes.length == 0) {
                return CompletableFuture.failedFuture(new IllegalStateException("planted"));
            }
            jar = bytes;
            return CompletableFuture.completedFuture(Responses.value(3));
        }

        @Override
        public void stop() {
            stops.incrementAndGet();
        }

        @Override
        public int restart() {
            stops.incrementAndGet();
            return 4;
        }
    }

    /** A figure for the statistics. */
    public interface SiteMXBean {
        int getSite();

        double getBusyShare();

        Map<String, Long> getByCode();
    }

    /** Its bean. */
    public record Figures(int site) implements SiteMXBean {
        @Override
        public int getSite() {
            return site;
        }

        @Override
        public double getBusyShare() {
            return 0.5;
        }

        @Override
        public Map<String, Long> getByCode() {
            return Map.of("B", 2L, "A", 1L);
        }
    }

    @Test
    void portalsAreOpenedFetchedAndClosed() {
        assertFailed(call("@Portal", 7L, 100L, "SELECT ?", 5L), ErrorCode.SYNTAX, "open 7 for 100");
        assertThat(routed).singleElement().satisfies(query -> {
            assertThat(query.subject()).isEqualTo("SELECT ?");
            assertThat(query.parameters()).isEqualTo(arguments(5L));
        });
        assertFailed(call("@portal", 7L, 50L), ErrorCode.SYNTAX, "fetch 50 of 7");
        assertFailed(call("@Portal", 7L, 0L), ErrorCode.SYNTAX, "close 7");
        assertFailed(call("@Portal", 7L), ErrorCode.WRONG_PARAMETERS, "docs/PORTALS.md");
        assertFailed(call("@Portal", 7L, -1L), ErrorCode.WRONG_PARAMETERS, "docs/PORTALS.md");
        assertFailed(call("@Portal", 7L, 1L << 31), ErrorCode.WRONG_PARAMETERS, "docs/PORTALS.md");
        assertFailed(call("@Portal", 7L, 0L, "SELECT 1"), ErrorCode.WRONG_PARAMETERS, "docs/PORTALS.md");
        assertFailed(call("@Portal", 7L, 5L, 6L), ErrorCode.WRONG_PARAMETERS, "docs/PORTALS.md");
    }

    @Test
    void pingEchoes() {
        assertThat(call("@ping"))
                .isEqualTo(Responses.nothing())
                .extracting("kind")
                .isEqualTo(TransactionResponse.Kind.NOTHING);
        ResultBlock echoed = block(call("@Ping", new byte[] {1, 2, 3}));
        echoed.next();
        assertThat(echoed.bytes(0)).containsExactly(1, 2, 3);
        assertFailed(call("@Ping", 5L), ErrorCode.WRONG_PARAMETERS, "@Ping(bytes)");
        assertFailed(answer("@Ping", new byte[] {1, 0, 99}), ErrorCode.MALFORMED_REQUEST, "");
    }

    @Test
    void statementsGoToTheRouter() {
        assertFailed(call("@AdHoc", "SELECT ?", 5L, "x"), ErrorCode.SYNTAX, "from the router");
        call("@explain", "SELECT 1");
        assertThat(routed).extracting(TransactionRequest::subject).containsExactly("SELECT ?", "EXPLAIN SELECT 1");
        assertThat(routed)
                .allMatch(TransactionRequest.AdHoc.class::isInstance)
                .allMatch(request -> request.requestId() == 8);
        byte[] rest = routed.getFirst().parameters();
        ParameterReader reader = new ParameterReader(2).wrap(rest, 0, rest.length);
        assertThat(reader.getLong(0)).isEqualTo(5);
        assertThat(reader.string(1)).isEqualTo("x");
        assertFailed(call("@AdHoc"), ErrorCode.WRONG_PARAMETERS, "a text first");
        assertFailed(call("@AdHoc", 5L), ErrorCode.WRONG_PARAMETERS, "a text first");
    }

    @Test
    void aTransactionsStatementsGoToIt() {
        assertFailed(call("@Session", 7L, "SELECT ?", 5L), ErrorCode.SYNTAX, "from transaction 7");
        assertThat(routed.getFirst().subject()).isEqualTo("SELECT ?");
        byte[] rest = routed.getFirst().parameters();
        assertThat(new ParameterReader(1).wrap(rest, 0, rest.length).getLong(0)).isEqualTo(5);
        assertFailed(call("@Session", "BEGIN"), ErrorCode.WRONG_PARAMETERS, "number of the transaction");
        assertFailed(call("@Session", 7L), ErrorCode.WRONG_PARAMETERS, "number of the transaction");
    }

    @Test
    void theCatalogIsShownAsTables() {
        assertThat(rows(call("@Catalog", "tables"))).containsExactly("[ACCOUNT, OWNER, ID, 2, 1, COLUMN]");
        assertThat(rows(call("@Catalog", "COLUMNS")))
                .containsExactly(
                        "[ACCOUNT, ID, 1, BIGINT, false, 1, false]",
                        "[ACCOUNT, OWNER, 2, VARCHAR(9), true, null, true]");
        assertThat(rows(call("@Catalog", "INDEXES"))).containsExactly("[ACCOUNT, PK, HASH, true, true, ID]");
        assertThat(rows(call("@Catalog", "CENSUS")))
                .containsExactly("[ACCOUNT, 100, null, null]", "[ACCOUNT, 100, OWNER, 12]");
        assertThat(rows(call("@Catalog", "PLAN")))
                .containsExactly(
                        "[0, 0, INTEGER, 5, 9223372036854775807]",
                        "[0, 1, HASH, -9223372036854775808, 9223372036854775807]",
                        "[0, 1, INTEGER, -9223372036854775808, 4]",
                        "[0, 2, null, null, null]");
        assertThat(rows(call("@Catalog", "PROCEDURES")))
                .containsExactly(
                        "[Move, SQL, ACCOUNT, OWNER, 0, SELECT 1; SELECT 2, null]",
                        "[Other, JAVA, null, null, null, a.B, one\ntwo]");
        assertThat(rows(call("@Catalog", "INDEXES", "ACCOUNT"))).hasSize(1);
        assertFailed(call("@Catalog", "COLUMNS", "account"), ErrorCode.UNKNOWN_OBJECT, "no table account");
        assertFailed(call("@Catalog", "WINE"), ErrorCode.WRONG_PARAMETERS, "'INDEXES'");
        assertFailed(call("@Catalog"), ErrorCode.WRONG_PARAMETERS, "'INDEXES'");
    }

    @Test
    void theFiguresAreShownAsTablesInTheOrderOfTheirNumbers() throws Exception {
        for (int site : new int[] {10, 9, 1}) {
            beans.registerMBean(new Figures(site), new ObjectName("fulmar:type=Site,node=4,site=" + site));
        }
        beans.registerMBean(new Figures(99), new ObjectName("fulmar:type=Site,node=5,site=99"));
        ResultBlock block = block(call("@Statistics", "site"));
        assertThat(block.columns()).extracting("name").containsExactly("BUSY_SHARE", "BY_CODE", "SITE");
        assertThat(rows(call("@Statistics", "SITE")))
                .containsExactly("[0.5, A=1, B=2, 1]", "[0.5, A=1, B=2, 9]", "[0.5, A=1, B=2, 10]");
        assertThat(rows(call("@Statistics"))).isEmpty();
        assertThat(rows(call("@Statistics", "durability"))).isEmpty();
        assertThat(rows(call("@Statistics", "transaction"))).isEmpty();
        assertFailed(call("@Statistics", "WINE"), ErrorCode.WRONG_PARAMETERS, "'CLIENT'");
    }

    @Test
    void aBackupIsHandedOn() {
        call("@Backup", "/somewhere");
        assertThat(backups).containsExactly("/somewhere");
        assertFailed(call("@Backup"), ErrorCode.WRONG_PARAMETERS, "new directory");
    }

    @Test
    void jarsAreHandedOn() {
        assertThat(call("@LoadClasses", new byte[] {7}))
                .isInstanceOfSatisfying(
                        TransactionResponse.Committed.class,
                        committed -> assertThat(committed.value()).isEqualTo(3));
        assertThat(control.jar).containsExactly(7);
        assertFailed(call("@LoadClasses", "x"), ErrorCode.WRONG_PARAMETERS, "bytes of a jar");
        assertFailed(call("@LoadClasses", new byte[0]), ErrorCode.INTERNAL, "planted");
    }

    @Test
    void jarsAreShownPieceByPiece() {
        ResultBlock list = block(call("@Jars"));
        for (ProcedureJar jar : JARS) {
            assertThat(list.next()).isTrue();
            assertThat(list.string(0)).isEqualTo(jar.digest());
            assertThat(list.getLong(1)).isEqualTo(jar.bytes().length);
            ByteArrayOutputStream read = new ByteArrayOutputStream();
            int pieces = 0;
            while (read.size() < jar.bytes().length) {
                ResultBlock piece = block(call("@Jars", jar.digest(), Integer.toString(read.size())));
                piece.next();
                read.writeBytes(Objects.requireNonNull(piece.bytes(0)));
                pieces++;
            }
            assertThat(read.toByteArray()).isEqualTo(jar.bytes());
            assertThat(pieces).isEqualTo(jar.bytes().length > LARGE_BYTES ? 3 : 1);
        }
        assertThat(list.next()).isFalse();
        assertFailed(call("@Jars", "0123", "0"), ErrorCode.UNKNOWN_OBJECT, "@Jars() lists");
        assertFailed(call("@Jars", JARS.getFirst().digest(), "x"), ErrorCode.WRONG_PARAMETERS, "first byte");
        assertFailed(call("@Jars", JARS.getFirst().digest(), "-1"), ErrorCode.WRONG_PARAMETERS, "first byte");
    }

    @Test
    void onlyThisMachineStopsTheNode() {
        TransactionResponse refused = answer("@Shutdown", arguments(), new ClientOrigin("10.0.0.1:5", false), table);
        assertFailed(refused, ErrorCode.PERMISSION_DENIED, "10.0.0.1");
        assertThat(stops).hasValue(0);
        call("@Shutdown");
        assertThat(stops).hasValue(1);
    }

    @Test
    void theAuditLogNamesActionsOnReconfigurationsAndNoLooksAtThem() {
        for (String action : List.of("STATUS", "ranges", "pause", "Resume", "CANCEL", "Wine\nline")) {
            call("@Reconfigure", action);
        }
        call("@Reconfigure", "START", "{}");
        call("@Reconfigure", "BALANCE");
        call("@Reconfigure");
        assertThat(audited)
                .extracting(AuditEvent::what)
                .containsExactly(
                        "@Reconfigure PAUSE",
                        "@Reconfigure RESUME",
                        "@Reconfigure CANCEL",
                        "@Reconfigure",
                        "@Reconfigure START",
                        "@Reconfigure BALANCE",
                        "@Reconfigure");
        assertThat(audited).extracting(AuditEvent::outcome).doesNotContain(AuditEvent.DONE);
    }

    @Test
    void anExecutorThatIsClosedMeansThatTheNodeStops() {
        SystemProcedureTable stopped = new SystemProcedureTable(
                (request, sink) -> {},
                (number, statement, sink) -> {},
                portals,
                control,
                beans,
                4,
                task -> {
                    throw new RejectedExecutionException();
                },
                audited::add);
        assertFailed(answer("@Catalog", arguments("TABLES"), LOCAL, stopped), ErrorCode.NODE_STOPPING, "did not begin");
    }

    @Test
    void otherNamesAreUnknown() {
        assertThat(table.named("@Wine")).isNull();
    }

    private TransactionResponse call(String name, @Nullable Object... arguments) {
        return answer(name, arguments(arguments));
    }

    private TransactionResponse answer(String name, byte[] parameters) {
        return answer(name, parameters, LOCAL, table);
    }

    private static TransactionResponse answer(
            String name, byte[] parameters, ClientOrigin origin, SystemProcedureTable procedures) {
        List<TransactionResponse> responses = new ArrayList<>();
        AtomicInteger flushes = new AtomicInteger();
        SystemProcedure procedure = procedures.named(name);
        if (procedure == null) {
            throw new AssertionError(name + " is missing");
        }
        procedure.call(new TransactionRequest.Call(3, 8, 0, name, parameters), origin, new ResponseSink() {
            @Override
            public void respond(TransactionRequest request, TransactionResponse response) {
                assertThat(request.requestId()).isEqualTo(8);
                responses.add(response);
            }

            @Override
            public void flush() {
                flushes.incrementAndGet();
            }
        });
        assertThat(responses).hasSize(1);
        assertThat(flushes).hasPositiveValue();
        return responses.getFirst();
    }

    private static byte[] arguments(@Nullable Object... values) {
        ParameterWriter writer = new ParameterWriter(100, 1000);
        for (Object value : values) {
            writer.addObject(value);
        }
        return writer.toByteArray();
    }

    private static ResultBlock block(TransactionResponse response) {
        byte[] bytes = ((TransactionResponse.Committed) response).results();
        return new ResultBlock().wrap(bytes, 0, bytes.length).validate();
    }

    private static List<String> rows(TransactionResponse response) {
        ResultBlock block = block(response);
        List<String> rows = new ArrayList<>();
        while (block.next()) {
            List<String> cells = new ArrayList<>();
            for (int i = 0; i < block.columnCount(); i++) {
                cells.add(String.valueOf(block.object(i)));
            }
            rows.add(cells.toString());
        }
        return rows;
    }

    private static void assertFailed(TransactionResponse response, ErrorCode code, String part) {
        assertThat(response).isInstanceOfSatisfying(TransactionResponse.Failed.class, failed -> {
            assertThat(failed.code()).isEqualTo(code);
            assertThat(failed.message()).contains(part);
        });
    }

    private static Catalog catalog() {
        Table account = new Table(
                1,
                "ACCOUNT",
                List.of(
                        new Column("ID", ColumnType.of(TypeKind.BIGINT), false, null),
                        new Column("OWNER", ColumnType.varchar(9), true, null)),
                OptionalInt.of(1),
                List.of(0),
                List.of(new Index(1, "PK", IndexKind.HASH, true, true, List.of(new IndexColumn(0, false)))));
        return Catalog.empty()
                .withTable(account)
                .withProcedure(new ProcedureDefinition(
                        "Move",
                        Optional.of(new ProcedureDefinition.Partitioning("ACCOUNT", "OWNER", 0)),
                        new ProcedureDefinition.Sql(List.of("SELECT 1", "SELECT 2"))))
                .withProcedure(new ProcedureDefinition(
                        "Other", Optional.empty(), new ProcedureDefinition.JavaClass("a.B", "")));
    }
}
