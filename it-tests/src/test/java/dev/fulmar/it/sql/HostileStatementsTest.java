package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.client.RunningCall;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Statements that ask for too much end by limits, in bounded time and memory, with an error that says which; others go
 * on.
 */
@Timeout(300)
class HostileStatementsTest {
    private static final int ROWS = 2_000;
    private static final Duration TIME = Duration.ofSeconds(2);

    /** The statement's own time, and what planning and answering take on a busy machine. */
    private static final long MOST_NANOS = 30_000_000_000L;

    private static final Set<ErrorCode> LIMITS = EnumSet.of(
            ErrorCode.STATEMENT_TOO_COMPLEX,
            ErrorCode.RESULT_TOO_LARGE,
            ErrorCode.PROCEDURE_TIME_BUDGET,
            ErrorCode.TIMEOUT,
            ErrorCode.MEMORY_LIMIT,
            ErrorCode.UNDO_LIMIT,
            ErrorCode.FRAME_TOO_LARGE,
            ErrorCode.STRING_TOO_LONG,
            ErrorCode.VALUE_OUT_OF_RANGE,
            ErrorCode.DATETIME_OUT_OF_RANGE,
            ErrorCode.TOO_MANY_PARAMETERS,
            ErrorCode.INVALID_TEXT,
            ErrorCode.SYNTAX);

    private static final String PAIRS = "T A JOIN T B ON A.K = B.K";

    private static FulmarNode node(int partitions) {
        return FulmarNode.start(NodeConfiguration.of(Map.of(
                "node",
                "5" + partitions,
                "listen",
                "127.0.0.1:0",
                "partitions",
                Integer.toString(partitions),
                "sites",
                "1",
                "memory.limit",
                "256m",
                "requests.intermediate-limit",
                "1m",
                "jmx",
                "false")));
    }

    private static FulmarClient filled(FulmarNode node) {
        FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port());
        client.script(
                        "CREATE TABLE T (N INTEGER NOT NULL PRIMARY KEY, K INTEGER, S VARCHAR(40)); PARTITION TABLE T ON COLUMN N;")
                .orThrow();
        client.execute("INSERT INTO T VALUES (?, ?, ?)", 0, 0, "text 0");
        List<RunningCall> calls = new ArrayList<>();
        for (int i = 1; i < ROWS; i++) {
            calls.add(client.statement("INSERT INTO T VALUES (?, ?, ?)")
                    .with(i, i % 4, "text " + i)
                    .start());
        }
        calls.forEach(RunningCall::await);
        return client;
    }

    private static String list(String item, String between, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> item.replace("#", Integer.toString(i)))
                .collect(Collectors.joining(between));
    }

    /** Parentheses and operators in a row, as deep as both limits allow: neither planner nor partition may overflow. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "(# + 1 + N - 1)",
                "GREATEST(# + 1 + N + 1, N)",
                "ABS(# * 1 - N + 1)",
                "CASE WHEN N + 1 > 0 THEN (# + 1 + N) ELSE 2 END"
            })
    void theDeepestExpressionsAreExecuted(String level) {
        int parentheses = level.startsWith("CASE") ? 2 : 1;
        String deep = "CAST(N AS BIGINT)";
        for (int i = 0; i < 94 / parentheses; i++) {
            deep = level.replace("#", deep);
        }
        try (FulmarNode node = node(1);
                FulmarClient client = filled(node)) {
            assertThat(client.execute("SELECT COUNT(" + deep + ") FROM T WHERE N = 1")
                            .table()
                            .first()
                            .getLong(0))
                    .isOne();
            assertThat(client.execute("UPDATE T SET K = 1 WHERE N = 1 AND " + deep + " IS NOT NULL")
                            .longValue())
                    .isOne();
        }
    }

    /** By what they are; all must meet a limit. */
    private static Map<String, String> tooMuch() {
        Map<String, String> statements = new LinkedHashMap<>();
        statements.put("rows that are sorted", "SELECT A.N FROM " + PAIRS + " ORDER BY A.S, B.S");
        statements.put(
                "the kept side of a join",
                "SELECT COUNT(*) FROM (SELECT A.S, B.N FROM " + PAIRS + ") X JOIN (SELECT A.N, B.S FROM " + PAIRS
                        + ") Y ON X.S = Y.S");
        statements.put(
                "groups", "SELECT COUNT(*) FROM (SELECT A.S, B.S, COUNT(*) FROM " + PAIRS + " GROUP BY A.S, B.S) AS G");
        statements.put(
                "distinct rows", "SELECT COUNT(*) FROM (SELECT DISTINCT A.S AS X, B.S AS Y FROM " + PAIRS + ") AS D");
        statements.put("distinct values", "SELECT COUNT(DISTINCT A.S || B.S) FROM " + PAIRS);
        statements.put(
                "a window",
                "SELECT MAX(R) FROM (SELECT ROW_NUMBER() OVER (ORDER BY A.S, B.S) AS R FROM " + PAIRS + ") AS W");
        statements.put("a set operation", "SELECT A.S || B.S FROM " + PAIRS + " EXCEPT SELECT S FROM T");
        statements.put(
                "a recursion without end",
                "WITH RECURSIVE W (N) AS (SELECT 1 UNION ALL SELECT N + 1 FROM W) SELECT COUNT(*) FROM W");
        statements.put("a result", "SELECT A.S, B.S, A.S, B.S FROM " + PAIRS + " WHERE A.N >= 0");
        statements.put("time", "SELECT COUNT(*) FROM T A, T B, T C WHERE A.N + B.N + C.N < 0");
        statements.put(
                "time for each row",
                "SELECT COUNT(*) FROM T A WHERE A.K < (SELECT COUNT(*) FROM T B, T C WHERE B.N + C.N < A.N)");
        statements.put(
                "rows that are changed", "INSERT INTO T SELECT 10000 + A.N * 2000 + B.N, 1, A.S FROM T A, T B, T C");
        statements.put("parentheses", "SELECT " + "(".repeat(30_000) + "1" + ")".repeat(30_000));
        statements.put("subqueries", "SELECT " + "(SELECT ".repeat(5_000) + "1" + ")".repeat(5_000));
        statements.put("a list", "SELECT N FROM T WHERE N IN (" + list("#", ", ", 60_000) + ")");
        statements.put("tables", "SELECT 1 FROM " + list("T T#", ", ", 3_000));
        statements.put("joins", "SELECT 1 FROM T T0 " + list("JOIN T U# ON U#.N = T0.N", " ", 1_000));
        statements.put("columns", "SELECT " + list("N + # AS C#", ", ", 20_000) + " FROM T");
        statements.put("columns of a table", "CREATE TABLE WIDE (" + list("C# INTEGER", ", ", 5_000) + ")");
        statements.put("conditions", "SELECT N FROM T WHERE " + list("N <> #", " OR ", 20_000));
        statements.put("a literal", "SELECT '" + "x".repeat(2_000_000) + "'");
        statements.put("a number", "SELECT " + "9".repeat(500_000));
        statements.put("a number with a great exponent", "SELECT 1E1000000000 + 1");
        statements.put("a text that is a great number", "SELECT CAST('1E1000000000' AS DECIMAL(38, 2))");
        statements.put(
                "a great number that is written out",
                "SELECT CAST(CAST(1E300 AS DOUBLE) AS VARCHAR(10)) || REPEAT(S, 100000000) FROM T");
        statements.put("a name", "SELECT N AS " + "N".repeat(100_000) + " FROM T");
        statements.put("a text that is made", "SELECT REPEAT('x', 1000000000)");
        statements.put("a text that is filled up", "SELECT LPAD('x', 2000000000, 'y')");
        statements.put("texts that double", "SELECT " + "REPEAT(".repeat(9) + "'xxxxxxxx'" + ", 1000)".repeat(9));
        statements.put("unions", list("SELECT N FROM T", " UNION ", 2_000));
        return statements;
    }

    private static @Nullable ErrorCode codeOf(FulmarClient client, String statement, SoftAssertions all, String what) {
        long start = System.nanoTime();
        try {
            client.statement(statement).withTimeout(TIME).execute();
            return null;
        } catch (FulmarException e) {
            all.assertThat(e.getMessage()).as(what).isNotBlank().doesNotContain("may have taken effect");
            return e.code();
        } finally {
            all.assertThat(System.nanoTime() - start).as(what).isLessThan(MOST_NANOS);
        }
    }

    private static long rows(FulmarClient client) {
        ResultTable table = client.execute("SELECT COUNT(*) FROM T").table();
        table.next();
        return table.getLong(0);
    }

    @ParameterizedTest(name = "on {0}")
    @ValueSource(ints = {1, 3})
    void whatAsksForTooMuchMeetsALimit(int partitions) {
        try (FulmarNode node = node(partitions);
                FulmarClient client = filled(node)) {
            SoftAssertions all = new SoftAssertions();
            tooMuch().forEach((what, statement) -> {
                all.assertThat(codeOf(client, statement, all, what)).as(what).isIn(LIMITS);
                all.assertThat(rows(client)).as("behind " + what).isEqualTo(ROWS);
            });
            all.assertAll();
        }
    }

    /** What is long without being much is answered. */
    @ParameterizedTest(name = "on {0}")
    @ValueSource(ints = {1, 3})
    void whatLooksWorseThanItIsIsAnswered(int partitions) {
        try (FulmarNode node = node(partitions);
                FulmarClient client = filled(node)) {
            List<String> statements = List.of(
                    "SELECT COUNT(*) FROM T WHERE S || S || S || S LIKE '%t%e%x%t%t%e%x%t%t%e%x%t%z'",
                    "SELECT COUNT(*) FROM T WHERE N IN (" + list("#", ", ", 1_000) + ")",
                    "SELECT " + list("COUNT(*) + # AS C#", ", ", 400) + " FROM T",
                    "SELECT N FROM T ORDER BY S, N LIMIT 3",
                    "SELECT COUNT(*) FROM T A JOIN T B ON A.N = B.N");
            for (String statement : statements) {
                assertThat(client.execute(statement).table().rowCount()).isPositive();
            }
        }
    }
}
