package dev.fulmar.it.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.it.sql.SmallNode;
import dev.fulmar.node.wiring.FulmarNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions of users that would end the node, or that never end: each fails alone, and the partition goes on. */
@Timeout(180)
class HostileFunctionsTest {
    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    private final FulmarNode node = SmallNode.start(2, Map.of("procedures.time-budget", "500ms"));
    private final FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port());

    @BeforeEach
    void fill() {
        client.execute("CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, v BIGINT NOT NULL, b VARBINARY(8))"
                + " PARTITION ON COLUMN id");
        client.execute("INSERT INTO t VALUES (1, 10, X'01'), (2, 20, X'02'), (3, 30, X'03'), (4, 40, X'04')");
    }

    @AfterEach
    void close() {
        client.close();
        node.close();
    }

    private void create(String body) throws IOException {
        client.loadClasses(CompiledJar.of(folder, "Bad", "public final class Bad { " + body + " }"));
        client.execute("CREATE FUNCTION bad(v BIGINT) RETURNS BIGINT FROM CLASS shop.Bad METHOD bad");
    }

    private void isWhole() {
        assertThat(client.execute("SELECT SUM(v) FROM t").table().first().getLong(0))
                .isEqualTo(100);
        client.execute("UPDATE t SET v = v WHERE id = 1");
    }

    private void fails(ErrorCode code, String part, String sql) {
        assertThatThrownBy(() -> client.execute(sql))
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code))
                .hasMessageContaining(part);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "for (;;) { v++; }|PROCEDURE_TIME_BUDGET",
                "try { for (;;) { v++; } } catch (Throwable t) { return 1; }|PROCEDURE_TIME_BUDGET",
                "for (;;) { try { for (;;) { v++; } } finally { continue; } }|PROCEDURE_TIME_BUDGET",
                "return bad(v + 1) + 1;|PROCEDURE_DEPTH_BUDGET",
                "try { return bad(v + 1); } catch (Throwable t) { return 1; }|PROCEDURE_DEPTH_BUDGET",
                "return new long[2_000_000_000].length;|PROCEDURE_OBJECT_BUDGET",
                "List<byte[]> all = new ArrayList<>(); for (;;) { all.add(new byte[1 << 20]); }|PROCEDURE_MEMORY_BUDGET",
                "throw new IllegalStateException(\"no\");|PROCEDURE_FAILED",
                "throw new Error(\"no\");|PROCEDURE_FAILED",
                "throw new OutOfMemoryError(\"no\");|PROCEDURE_MEMORY_BUDGET",
                "throw new StackOverflowError(\"no\");|PROCEDURE_DEPTH_BUDGET",
                "throw new RuntimeException() { public String getMessage() { for (;;) {} } };|PROCEDURE_TIME_BUDGET",
                "return v / (v - v);|PROCEDURE_FAILED",
                "return ((Object) \"a\") instanceof Long l ? l : (Long) (Object) \"a\";|PROCEDURE_FAILED",
            })
    void aCallThatWouldNotEndWellFailsAlone(String body, ErrorCode code) throws IOException {
        create("public static long bad(long v) { " + body + " }");
        fails(code, "BAD", "SELECT bad(v) FROM t WHERE id = 1");
        isWhole();
        fails(code, "BAD", "SELECT SUM(bad(v)) FROM t");
        isWhole();
        fails(code, "BAD", "SELECT bad(SUM(v)) FROM t");
        isWhole();
        fails(code, "BAD", "UPDATE t SET v = 0 WHERE id < 4 OR bad(v) > 0");
        isWhole();
        fails(code, "BAD", "UPDATE t SET v = bad(v) WHERE id = 2");
        isWhole();
        fails(code, "BAD", "INSERT INTO t VALUES (bad(1), 1, NULL)");
        isWhole();
        client.execute("CREATE PROCEDURE P PARTITION ON TABLE t COLUMN id PARAMETER 0 AS BEGIN UPDATE t SET v = 0"
                + " WHERE id = ?; SELECT bad(v) FROM t WHERE id = ?; END");
        assertThatThrownBy(() -> client.call("P", 1L, 1L))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
        isWhole();
        client.execute("DROP PROCEDURE P");
        client.execute("DROP FUNCTION bad");
    }

    /** Calls of functions have budgets of their own, and give the procedure its own back. */
    @Test
    void aProcedureThatCallsFunctionsForEverIsEnded() throws IOException {
        client.loadClasses(CompiledJar.of(
                folder,
                "Bad",
                "public final class Bad { public static long bad(long v) { for (int i = 0; i < 3000; i++) { v += i; }"
                        + " return v; } }",
                "Ever",
                "import dev.fulmar.procedure.*; public final class Ever implements Procedure {"
                        + " static final Statement S = Statement.of(\"SELECT bad(v) FROM t WHERE id = ?\");"
                        + " public long run(ProcedureContext context, long id) { long sum = 0;"
                        + " for (;;) { try { sum += context.query(S, id).first().getLong(0); }"
                        + " catch (RuntimeException e) { sum++; } } } }"));
        client.execute("CREATE FUNCTION bad(v BIGINT) RETURNS BIGINT FROM CLASS shop.Bad METHOD bad");
        client.execute("CREATE PROCEDURE Ever PARTITION ON TABLE t COLUMN id FROM CLASS shop.Ever");
        assertThatThrownBy(() -> client.call("Ever", 1L))
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.PROCEDURE_TIME_BUDGET))
                .hasMessageContaining("Ever was stopped: the procedure ran longer than its time budget of 500 ms");
        isWhole();
    }

    /** Each row alone is quick enough. */
    @Test
    void manySlowCallsHaveTheTimeOfTheirStatement() throws IOException {
        create("public static long bad(long v) { for (int i = 0; i < 50_000_000; i++) { v = v * 31 + i; } return v; }");
        client.execute("CREATE TABLE r (id BIGINT PRIMARY KEY) REPLICATED");
        client.execute("INSERT INTO r SELECT id + 10 * v FROM t");
        for (int i = 0; i < 6; i++) {
            client.execute("INSERT INTO r SELECT id + (SELECT MAX(id) FROM r) FROM r");
        }
        fails(ErrorCode.PROCEDURE_TIME_BUDGET, "", "SELECT SUM(bad(id)) FROM r");
        isWhole();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "static long sum; public static long bad(long v) { sum += v; return sum; }|sum",
                "static final long[] KEPT = new long[1]; public static long bad(long v) { return KEPT[0] += v; }|KEPT",
                "public static long bad(long v) { return System.nanoTime(); }|nanoTime",
                "public static long bad(long v) { return new Random().nextLong(); }|Random",
                "public static long bad(long v) throws Exception { return Class.forName(\"x\").hashCode(); }|forName",
                "public static long bad(long v) { new Thread(() -> {}).start(); return v; }|Thread",
                "public static long bad(long v) { System.exit(1); return v; }|exit",
                "public static long bad(long v) throws Exception { return java.nio.file.Files.size(null); }|Files",
                "static final long X = fail(); static long fail() { throw new IllegalStateException(\"early\"); }"
                        + " public static long bad(long v) { return X; }|early",
                "static final long X = loop(); static long loop() { for (long i = 0;;) { i++; } }"
                        + " public static long bad(long v) { return X; }|cannot be loaded",
                "static long bad(long v) { return v; }|public static",
                "public long bad(long v) { return v; }|public static",
                "public static long bad(Object v) { return 1; }|java.lang.Object",
                "public static Object bad(long v) { return v; }|java.lang.Object",
            })
    void aClassThatMayHarmIsRefused(String body, String part) throws IOException {
        client.loadClasses(CompiledJar.of(folder, "Bad", "public final class Bad { " + body + " }"));
        fails(
                ErrorCode.PROCEDURE_REFUSED,
                part,
                "CREATE FUNCTION bad(v BIGINT) RETURNS BIGINT FROM CLASS shop.Bad METHOD bad");
        isWhole();
        fails(ErrorCode.UNKNOWN_OBJECT, "BAD", "SELECT bad(1)");
    }

    /** A function may not be logged by value: every copy computes it. */
    @Test
    void aMarkThatExcusesProceduresExcusesNoFunction() throws IOException {
        client.loadClasses(CompiledJar.of(
                folder,
                "Bad",
                "@dev.fulmar.procedure.LogValues public final class Bad { public static long bad(long v) {"
                        + " return System.nanoTime(); } }"));
        fails(
                ErrorCode.PROCEDURE_REFUSED,
                "nanoTime",
                "CREATE FUNCTION bad(v BIGINT) RETURNS BIGINT FROM CLASS shop.Bad");
    }

    @Test
    void aFunctionThatChangesItsArgumentChangesNoRow() throws IOException {
        client.loadClasses(CompiledJar.of(
                folder,
                "Bad",
                "public final class Bad { public static byte[] bad(byte[] v) { v[0] = 99; return v; } }"));
        client.execute("CREATE FUNCTION bad(v VARBINARY(8)) RETURNS VARBINARY(8) FROM CLASS shop.Bad");
        assertThat((byte[]) client.execute("SELECT bad(b) FROM t WHERE id = 1")
                        .table()
                        .first()
                        .getObject(0))
                .containsExactly(99);
        assertThat((byte[]) client.execute("SELECT b FROM t WHERE id = 1")
                        .table()
                        .first()
                        .getObject(0))
                .containsExactly(1);
    }

    /** The engine computes with a result, outside of the function's budget. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "return new BigDecimal(\"1E-10000\").movePointLeft(9000).scaleByPowerOfTen(-900);",
                "return new BigDecimal(BigInteger.ONE, -9999);",
                "return BigDecimal.TEN.pow(9000);",
                "return new Own();",
            })
    void aResultThatCostsTooMuchIsRefused(String body) throws IOException {
        client.loadClasses(CompiledJar.of(
                folder,
                "Bad",
                "public final class Bad { static final class Own extends BigDecimal { Own() { super(1); }"
                        + " @Override public BigDecimal setScale(int s, RoundingMode m) { for (;;) {} }"
                        + " @Override public int precision() { for (;;) {} } }"
                        + " public static BigDecimal bad(long v) { " + body + " } }"));
        assertThatThrownBy(() -> {
                    client.execute(
                            "CREATE FUNCTION bad(v BIGINT) RETURNS DECIMAL(10,2) FROM CLASS shop.Bad METHOD bad");
                    client.execute("SELECT bad(1)");
                })
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        e -> assertThat(e.code())
                                .as(e.getMessage())
                                .isIn(
                                        ErrorCode.VALUE_OUT_OF_RANGE,
                                        ErrorCode.TYPE_MISMATCH,
                                        ErrorCode.PROCEDURE_REFUSED,
                                        ErrorCode.PROCEDURE_FAILED));
        isWhole();
    }
}
