package dev.fulmar.it.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Aggregates that users make of their functions, on three partitions. */
@Timeout(240)
class UserAggregatesTest extends RoutinesFixture {
    /** Steps whose result depends on the order of their calls, and one that counts nulls. */
    private static final String STEPS = "public final class Steps {"
            + " public static long times(long state, long value) { return state * value; }"
            + " public static long digits(long state, long value) { return state * 10 + value; }"
            + " public static String join(String state, String word, String between) {"
            + " return state.isEmpty() ? word : state + between + word; }"
            + " public static Long nulls(Long state, Long value) {"
            + " return (state == null ? 0 : state) + (value == null ? 1 : 0); }"
            + " public static String spread(String state, double value) {"
            + " String[] parts = state.split(\";\");"
            + " return (Long.parseLong(parts[0]) + 1) + \";\" + (Double.parseDouble(parts[1]) + value); }"
            + " public static Double mean(String state) { String[] parts = state.split(\";\");"
            + " return parts[0].equals(\"0\") ? null : (Double) (Double.parseDouble(parts[1]) / Long.parseLong(parts[0])); }"
            + " public static BigDecimal least(BigDecimal state, BigDecimal value) { return state.min(value); }"
            + " public static byte[] longer(byte[] state, byte[] value) {"
            + " return value.length > state.length ? value : state; }"
            + " public static long fails(long state, long value) { throw new IllegalStateException(\"no\"); }"
            + " public static long endless(long state, long value) { for (;;) { state++; } } }";

    @BeforeEach
    void create() throws IOException {
        client.execute(
                "CREATE TABLE item (id BIGINT NOT NULL PRIMARY KEY, kind INTEGER NOT NULL, v BIGINT, w VARCHAR(20))"
                        + " PARTITION ON COLUMN id");
        client.execute("INSERT INTO item VALUES (1, 1, 2, 'b'), (2, 1, 3, 'a'), (3, 1, NULL, NULL), (4, 2, 7, 'c'),"
                + " (5, 2, 5, 'd'), (6, 3, NULL, NULL)");
        client.loadClasses(CompiledJar.of(folder, "Steps", STEPS));
        function("times(BIGINT, BIGINT) RETURNS BIGINT", "times");
        function("digits(BIGINT, BIGINT) RETURNS BIGINT", "digits");
        client.execute("CREATE AGGREGATE product(BIGINT) (SFUNC = times, STYPE = BIGINT, INITCOND = '1')");
        client.execute("CREATE AGGREGATE as_digits(BIGINT) (SFUNC = digits, STYPE = BIGINT)");
    }

    private void function(String declaration, String method) {
        client.execute("CREATE FUNCTION " + declaration + " FROM CLASS shop.Steps METHOD " + method);
    }

    @Test
    void anAggregateStandsWhereverAggregatesDo() {
        assertThat(rows("SELECT product(v) FROM item")).containsExactly("210");
        assertThat(rows("SELECT kind, product(v), COUNT(*) FROM item GROUP BY kind ORDER BY kind"))
                .containsExactly("1 6 3", "2 35 2", "3 1 1");
        assertThat(rows("SELECT kind FROM item GROUP BY kind HAVING product(v) > ? ORDER BY product(v) DESC", 2))
                .containsExactly("2", "1");
        assertThat(rows("SELECT product(v + ?) FROM item WHERE kind = 2", 1)).containsExactly("48");
        assertThat(rows("SELECT product(v) FILTER (WHERE v > 2) FROM item")).containsExactly("105");
        assertThat(rows("SELECT product(DISTINCT v / 2) FROM item")).containsExactly("6");
        assertThat(rows("SELECT product(v) FROM item WHERE id > 100")).containsExactly("1");
        assertThat(rows("SELECT product(p) FROM (SELECT product(v) AS p FROM item GROUP BY kind) x"))
                .containsExactly("210");
        assertThat(rows("SELECT id, (SELECT product(v) FROM item i WHERE i.kind = item.kind) FROM item WHERE id = 4"))
                .containsExactly("4 35");
        assertThat(rows("SELECT product(v) + product(v) * 2, SUM(v) FROM item WHERE kind = 1"))
                .containsExactly("18 5");
    }

    /** Rows come in any order; the step is called in the order of the values, or in that of ORDER BY. */
    @Test
    void theOrderOfStepsIsThatOfTheValues() {
        assertThat(rows("SELECT as_digits(v) FROM item")).containsExactly("2357");
        assertThat(rows("SELECT as_digits(v ORDER BY id DESC) FROM item")).containsExactly("5732");
        assertThat(rows("SELECT kind, as_digits(v ORDER BY w DESC) FROM item GROUP BY kind ORDER BY kind"))
                .containsExactly("1 23", "2 57", "3 null");
    }

    @Test
    void aStateMayBeOfAnyTypeAndHaveAnEnd() {
        function("spread(VARCHAR(60), DOUBLE) RETURNS VARCHAR(60)", "spread");
        function("mean(VARCHAR(60)) RETURNS DOUBLE", "mean");
        client.execute("CREATE AGGREGATE average(DOUBLE) (SFUNC = spread, STYPE = VARCHAR(60), FINALFUNC = mean,"
                + " INITCOND = '0;0')");
        assertThat(rows("SELECT kind, average(v) FROM item GROUP BY kind ORDER BY kind"))
                .containsExactly("1 2.5", "2 6.0", "3 null");
        function("smaller(DECIMAL(10, 2), DECIMAL(10, 2)) RETURNS DECIMAL(10, 2)", "least");
        client.execute("CREATE AGGREGATE lowest(DECIMAL(10, 2)) (SFUNC = smaller, STYPE = DECIMAL(10, 2))");
        assertThat(rows("SELECT lowest(v * 1.5), lowest(NULL) FROM item")).containsExactly("3.00 null");
        function("longer(VARBINARY(9), VARBINARY(9)) RETURNS VARBINARY(9)", "longer");
        client.execute(
                "CREATE AGGREGATE longest(VARBINARY(9)) (SFUNC = longer, STYPE = VARBINARY(9), INITCOND = '\\x00')");
        assertThat(rows("SELECT OCTET_LENGTH(longest(b)) FROM (VALUES (X'01'), (X'010203'), (X'0102')) AS t (b)"))
                .containsExactly("3");
    }

    @Test
    void anAggregateMayTakeSeveralArgumentsAndNulls() {
        function("joined(VARCHAR(80), VARCHAR(20), VARCHAR(4)) RETURNS VARCHAR(80)", "join");
        client.execute("CREATE AGGREGATE listed(VARCHAR(20), VARCHAR(4)) (SFUNC = joined, STYPE = VARCHAR(80),"
                + " INITCOND = '')");
        assertThat(rows("SELECT listed(w, ', ') FROM item")).containsExactly("a, b, c, d");
        assertThat(rows("SELECT listed(w, ? ORDER BY id) FROM item", "-")).containsExactly("b-a-c-d");
        function("counted(BIGINT, BIGINT) RETURNS BIGINT CALLED ON NULL INPUT", "nulls");
        client.execute("CREATE AGGREGATE nulls(BIGINT) (SFUNC = counted, STYPE = BIGINT)");
        assertThat(rows("SELECT nulls(v) FROM item")).containsExactly("2");
        assertThat(rows("SELECT nulls(v) FROM item WHERE id > 100")).containsExactly("null");
    }

    @Test
    void expressionsAreStepsToo() {
        client.execute("CREATE FUNCTION larger(a BIGINT, b BIGINT) RETURNS BIGINT RETURN CASE WHEN a IS NULL OR b > a"
                + " THEN b ELSE a END");
        client.execute("CREATE AGGREGATE top(BIGINT) (SFUNC = larger, STYPE = BIGINT)");
        assertThat(rows("SELECT kind, top(v) FROM item GROUP BY kind ORDER BY kind"))
                .containsExactly("1 3", "2 7", "3 null");
    }

    @Test
    void viewsProceduresAndSessionsAggregate() {
        client.execute("CREATE VIEW products AS SELECT kind, product(v) AS p FROM item GROUP BY kind");
        assertThat(rows("SELECT p FROM products WHERE kind = 2")).containsExactly("35");
        client.execute("CREATE PROCEDURE Total AS SELECT product(v) FROM item WHERE kind = ?");
        assertThat(client.call("Total", 1).table().first().getLong(0)).isEqualTo(6);
        fails(ErrorCode.DEPENDENT_OBJECTS, "PRODUCT", "DROP AGGREGATE product");
        client.execute("DROP PROCEDURE Total");
        client.execute("DROP VIEW products");
        try (Session session = client.begin()) {
            session.execute("INSERT INTO item VALUES (7, 2, 10, NULL)");
            assertThat(rows(session.execute("SELECT product(v) FROM item WHERE kind = 2")
                            .table()))
                    .containsExactly("350");
            session.commit();
        }
        client.execute("INSERT INTO item SELECT 100 + kind, 9, product(v), NULL FROM item GROUP BY kind");
        assertThat(rows("SELECT v FROM item WHERE kind = 9 ORDER BY v")).containsExactly("1", "6", "350");
        client.execute("DROP AGGREGATE IF EXISTS product(BIGINT)");
        fails(ErrorCode.UNKNOWN_OBJECT, "PRODUCT", "SELECT product(v) FROM item");
    }

    @Test
    void aRestartAndADumpKeepAggregates() {
        client.close();
        node.close();
        open();
        assertThat(rows("SELECT product(v) FROM item")).containsExactly("210");
        List<String> statements =
                rows("SELECT STATEMENT FROM INFORMATION_SCHEMA.DEFINITIONS WHERE OBJECT_TYPE = 'AGGREGATE'"
                        + " ORDER BY OBJECT_NAME");
        assertThat(statements)
                .containsExactly(
                        "CREATE AGGREGATE \"AS_DIGITS\" (BIGINT) (SFUNC = \"DIGITS\", STYPE = BIGINT)",
                        "CREATE AGGREGATE \"PRODUCT\" (BIGINT) (SFUNC = \"TIMES\", STYPE = BIGINT, INITCOND = '1')");
        client.execute("DROP AGGREGATE product");
        client.execute(statements.getLast());
        assertThat(rows("SELECT product(v) FROM item")).containsExactly("210");
    }

    /** A new jar has another step: the next statement calls it. */
    @Test
    void newClassesReplaceTheSteps() throws IOException {
        assertThat(rows("SELECT product(v) FROM item WHERE kind = 1")).containsExactly("6");
        client.loadClasses(CompiledJar.of(folder, "Steps", STEPS.replace("state * value;", "state + value;")));
        assertThat(rows("SELECT product(v) FROM item WHERE kind = 1")).containsExactly("6");
        assertThat(rows("SELECT product(v) FROM item WHERE kind = 2")).containsExactly("13");
        client.execute("CREATE OR REPLACE AGGREGATE product(BIGINT) (SFUNC = times, STYPE = BIGINT, INITCOND = '100')");
        assertThat(rows("SELECT product(v) FROM item WHERE kind = 2")).containsExactly("112");
    }

    @Test
    void theFunctionsOfAnAggregateStay() {
        fails(ErrorCode.DEPENDENT_OBJECTS, "PRODUCT", "DROP FUNCTION times");
        fails(
                ErrorCode.DEPENDENT_OBJECTS,
                "PRODUCT",
                "CREATE OR REPLACE FUNCTION times(a BIGINT, b INTEGER) RETURNS BIGINT RETURN a * b");
        client.execute("CREATE OR REPLACE FUNCTION times(a BIGINT, b BIGINT) RETURNS BIGINT RETURN a - b");
        assertThat(rows("SELECT product(v) FROM item WHERE kind = 2")).containsExactly("-11");
        client.execute("DROP AGGREGATE product");
        client.execute("DROP FUNCTION times");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "a(BIGINT) (SFUNC = missing, STYPE = BIGINT)|UNKNOWN_PROCEDURE|MISSING",
                "a(BIGINT) (SFUNC = product, STYPE = BIGINT)|UNKNOWN_PROCEDURE|PRODUCT",
                "a(BIGINT) (SFUNC = times, STYPE = INTEGER)|WRONG_PARAMETERS|TIMES of INTEGER, BIGINT",
                "a(INTEGER) (SFUNC = times, STYPE = BIGINT)|WRONG_PARAMETERS|TIMES of BIGINT, INTEGER",
                "a(BIGINT) (SFUNC = times, STYPE = BIGINT, FINALFUNC = times)|WRONG_PARAMETERS|TIMES of BIGINT",
                "a(BIGINT) (SFUNC = times, STYPE = BIGINT, FINALFUNC = missing)|UNKNOWN_PROCEDURE|MISSING",
                "a(BIGINT) (SFUNC = times, STYPE = BIGINT, INITCOND = 'x')|INVALID_TEXT|x",
                "a(BIGINT) (SFUNC = times, STYPE = BIGINT, INITCOND = '99999999999999999999')|INVALID_TEXT|999",
                "a(BIGINT) (SFUNC = times)|SYNTAX|STYPE",
                "a(BIGINT) (STYPE = BIGINT)|SYNTAX|SFUNC",
                "a() (SFUNC = times, STYPE = BIGINT)|NOT_SUPPORTED|COUNT",
                "a(BIGINT) (SFUNC = times, STYPE = BIGINT, COMBINEFUNC = times)|NOT_SUPPORTED|COMBINEFUNC",
                "product(BIGINT) (SFUNC = times, STYPE = BIGINT)|OBJECT_EXISTS|PRODUCT",
                "times(BIGINT) (SFUNC = times, STYPE = BIGINT)|OBJECT_EXISTS|TIMES",
                "sum(BIGINT) (SFUNC = times, STYPE = BIGINT)|OBJECT_EXISTS|SUM",
                "string_agg(BIGINT) (SFUNC = times, STYPE = BIGINT)|OBJECT_EXISTS|STRING_AGG",
            })
    void aWrongAggregateIsRefused(String definition, ErrorCode code, String part) {
        fails(code, part, "CREATE AGGREGATE " + definition);
    }

    @Test
    void wrongCallsSayWhy() {
        fails(ErrorCode.WRONG_PARAMETERS, "PRODUCT(BIGINT) takes 1 argument", "SELECT product(v, v) FROM item");
        fails(ErrorCode.WRONG_PARAMETERS, "PRODUCT(BIGINT) takes 1 argument", "SELECT product() FROM item");
        fails(ErrorCode.NOT_SUPPORTED, "OVER", "SELECT product(v) OVER (ORDER BY id) FROM item");
        fails(ErrorCode.TYPE_MISMATCH, "PRODUCT", "SELECT product(w) FROM item");
        fails(ErrorCode.NOT_SUPPORTED, "TIMES takes no order", "SELECT times(v, v ORDER BY v) FROM item");
        fails(
                ErrorCode.INVALID_DEFINITION,
                "drop it first",
                "CREATE OR REPLACE AGGREGATE times(BIGINT) (SFUNC = digits, STYPE = BIGINT)");
        fails(
                ErrorCode.NOT_SUPPORTED,
                "materialized view",
                "CREATE MATERIALIZED VIEW m AS SELECT kind, product(v), COUNT(*) FROM item GROUP BY kind");
    }

    /** The bytes of a number are none of a text. */
    @Test
    void theFirstStateIsOfItsType() {
        function("spread(VARCHAR(60), DOUBLE) RETURNS VARCHAR(60)", "spread");
        fails(
                ErrorCode.INVALID_DEFINITION,
                "INITCOND",
                "CREATE AGGREGATE average(DOUBLE) (SFUNC = spread, STYPE = VARCHAR(60))");
    }

    /** A step that never ends, or fails, ends its statement alone. */
    @Test
    void hostileStepsHarmNobody() {
        function("failing(BIGINT, BIGINT) RETURNS BIGINT", "fails");
        client.execute("CREATE AGGREGATE failing_sum(BIGINT) (SFUNC = failing, STYPE = BIGINT, INITCOND = '0')");
        fails(ErrorCode.PROCEDURE_FAILED, "FAILING", "SELECT failing_sum(v) FROM item");
        function("endless(BIGINT, BIGINT) RETURNS BIGINT", "endless");
        client.execute("CREATE AGGREGATE endless_sum(BIGINT) (SFUNC = endless, STYPE = BIGINT, INITCOND = '0')");
        assertThatThrownBy(() -> client.statement("SELECT endless_sum(v) FROM item WHERE id = 1")
                        .withTimeout(java.time.Duration.ofSeconds(1))
                        .execute())
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        e -> assertThat(e.code())
                                .as(e.getMessage())
                                .isIn(ErrorCode.PROCEDURE_TIME_BUDGET, ErrorCode.TIMEOUT));
        assertThat(rows("SELECT product(v) FROM item")).containsExactly("210");
    }

    /** Many rows and groups: states are given back, and slices end between steps. */
    @Test
    void manyRowsAreAggregated() {
        client.execute("CREATE TABLE big (id BIGINT NOT NULL PRIMARY KEY, g BIGINT NOT NULL) PARTITION ON COLUMN id");
        client.execute("INSERT INTO big VALUES (0, 0)");
        for (int there = 1; there < 60_000; there *= 2) {
            client.execute("INSERT INTO big SELECT id + " + there + ", MOD(id + " + there + ", 1000) FROM big");
        }
        client.execute("CREATE FUNCTION plus(a BIGINT, b BIGINT) RETURNS BIGINT RETURN a + b");
        client.execute("CREATE AGGREGATE total(BIGINT) (SFUNC = plus, STYPE = BIGINT, INITCOND = '0')");
        assertThat(rows("SELECT total(id) - SUM(id) FROM big")).containsExactly("0");
        assertThat(rows("SELECT COUNT(*) FROM (SELECT g, total(id) t, SUM(id) s FROM big GROUP BY g) x WHERE t = s"))
                .containsExactly("1000");
    }
}
