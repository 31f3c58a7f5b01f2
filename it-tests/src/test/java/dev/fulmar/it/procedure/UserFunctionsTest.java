package dev.fulmar.it.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.it.sql.SmallNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions of users in statements, over what happens to a database. */
@Timeout(180)
class UserFunctionsTest extends RoutinesFixture {
    private static final String PRICES = "public final class Prices {"
            + " public static long gross(long net, int percent) { return net + net * percent / 100; }"
            + " public static String initials(String name) { StringBuilder text = new StringBuilder();"
            + " for (String word : name.split(\" \")) { text.append(word.charAt(0)); } return text.toString(); }"
            + " public static String shown(Long value) { return value == null ? \"none\" : \"<\" + value + \">\"; }"
            + " public static int length(String text) { try { return text.length(); }"
            + " catch (NullPointerException e) { return e.getMessage() == null ? 1 : 2; } }"
            + " public static Long odd(long value) { return value % 2 == 0 ? null : (Long) value; } }";
    private static final String SAME = "public final class Same {"
            + " public static boolean truth(boolean v) { return v; } public static byte tiny(byte v) { return v; }"
            + " public static short small(short v) { return v; } public static int whole(int v) { return v; }"
            + " public static long big(long v) { return v; } public static float real(float v) { return v; }"
            + " public static double twice(double v) { return v; } public static BigDecimal price(BigDecimal v) { return v; }"
            + " public static String text(String v) { return v; } public static byte[] bytes(byte[] v) { return v; }"
            + " public static LocalDate day(LocalDate v) { return v; } public static LocalTime time(LocalTime v) { return v; }"
            + " public static LocalDateTime moment(LocalDateTime v) { return v; }"
            + " public static Instant instant(Instant v) { return v; } public static UUID key(UUID v) { return v; } }";

    @BeforeEach
    void create() throws IOException {
        client.execute("CREATE TABLE item (id BIGINT NOT NULL PRIMARY KEY, net BIGINT, name VARCHAR(40))"
                + " PARTITION ON COLUMN id");
        client.execute("INSERT INTO item VALUES (1, 100, 'ann bee'), (2, 200, 'cid dee'), (3, NULL, NULL),"
                + " (4, 50, 'eve fox')");
        client.loadClasses(CompiledJar.of(folder, "Prices", PRICES, "Same", SAME));
        client.execute(
                "CREATE FUNCTION gross(net BIGINT, percent INT) RETURNS BIGINT FROM CLASS shop.Prices METHOD gross");
        client.execute("CREATE FUNCTION initials(VARCHAR(40)) RETURNS VARCHAR(10) LANGUAGE JAVA DETERMINISTIC"
                + " FROM CLASS shop.Prices METHOD initials");
    }

    @Test
    void aFunctionStandsWhereverAValueDoes() {
        assertThat(rows("SELECT id, gross(net, 20), initials(name) FROM item ORDER BY id"))
                .containsExactly("1 120 ab", "2 240 cd", "3 null null", "4 60 ef");
        assertThat(rows("SELECT id FROM item WHERE gross(net, ?) > 100 ORDER BY initials(name) DESC", 20))
                .containsExactly("2", "1");
        assertThat(rows("SELECT SUM(gross(net, 10)), MAX(initials(name)) FROM item"))
                .containsExactly("385 ef");
        assertThat(rows("SELECT gross(net, 100) g, COUNT(*) FROM item GROUP BY gross(net, 100) ORDER BY g"))
                .containsExactly("100 1", "200 1", "400 1", "null 1");
        assertThat(rows("SELECT gross(SUM(net), 100) FROM item")).containsExactly("700");
        assertThat(rows("SELECT gross(gross(100, 10), 10)")).containsExactly("121");
        assertThat(rows("SELECT a.id, b.id FROM item a JOIN item b ON gross(a.net, 100) = b.net").stream()
                        .sorted())
                .containsExactly("1 2", "4 1");
        assertThat(rows("SELECT name FROM item WHERE id = gross(1, 100)")).containsExactly("cid dee");
        assertThat(rows("SELECT public.gross(100, 10), PUBLIC.\"GROSS\"(10, 10)"))
                .containsExactly("110 11");
        assertThat(rows("SELECT id FROM item WHERE net IN (SELECT gross(net, 100) FROM item) ORDER BY id"))
                .containsExactly("1", "2");
        assertThat(rows("SELECT id, CASE WHEN net IS NULL THEN 'x' ELSE initials(name) END FROM item WHERE id >= 3"
                        + " ORDER BY id"))
                .containsExactly("3 x", "4 ef");
    }

    @Test
    void writesCallFunctions() {
        client.execute("INSERT INTO item VALUES (gross(10, 20), gross(?, 50), initials('zed yak'))", 10L);
        assertThat(rows("SELECT * FROM item WHERE id = 12")).containsExactly("12 15 zy");
        assertThat(client.execute("UPDATE item SET net = gross(net, 100), name = initials(name) WHERE id < 3")
                        .longValue())
                .isEqualTo(2);
        assertThat(rows("SELECT id, net, name FROM item WHERE id < 3 ORDER BY id"))
                .containsExactly("1 200 ab", "2 400 cd");
        assertThat(client.execute("DELETE FROM item WHERE initials(name) = 'ef'")
                        .longValue())
                .isOne();
        client.execute("INSERT INTO item SELECT id + 100, gross(net, 0), initials(name) FROM item");
        assertThat(rows("SELECT COUNT(*) FROM item")).containsExactly("8");
        client.execute("CREATE TABLE other AS SELECT id, gross(net, 1) AS g FROM item");
        assertThat(rows("SELECT COUNT(*), SUM(g) FROM other").getFirst()).startsWith("8 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO item VALUES (1, 1, 'x') ON CONFLICT (id) DO UPDATE SET net = gross(item.net, 1) WHERE"
                        + " gross(item.net, 1) > 0",
                "INSERT INTO item VALUES (7, 1, 'x'), (8, 2, 'y') RETURNING gross(net, 1)",
                "INSERT INTO item VALUES (gross(7, 100), 1, 'x'), (8, 2, 'y') RETURNING id",
                "UPSERT INTO item VALUES (gross(1, 0), gross(1, 1), 'x')",
                "UPDATE item SET net = gross(net, 1) WHERE id = gross(1, 100) RETURNING gross(net, 1), initials(name)",
                "DELETE FROM item WHERE gross(net, 1) > 0 RETURNING gross(net, 1)",
                "MERGE INTO item USING (SELECT id, gross(net, 1) g FROM item) s ON item.id = s.id"
                        + " WHEN MATCHED AND gross(s.g, 1) > 0 THEN UPDATE SET net = gross(s.g, 1)"
                        + " WHEN NOT MATCHED THEN INSERT VALUES (gross(1, 1), 1, 'x')",
                "UPDATE item SET net = gross(s.n, 1) FROM (SELECT id i, net n FROM item) s WHERE s.i = item.id",
                "INSERT INTO u VALUES (gross(1, 0), gross(5, 100)), (2, 3)",
                "UPDATE u SET k = gross(k, 100)",
                "INSERT INTO child VALUES (1, gross(1, 0))",
                "SELECT id FROM item WHERE id = gross(1, 0) FOR UPDATE",
                "WITH RECURSIVE r (n) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT gross(n, 100) FROM r WHERE n < 10)"
                        + " SELECT * FROM r",
                "SELECT SUM(gross(net, 1)) OVER (PARTITION BY initials(name) ORDER BY gross(id, 1)) FROM item",
                "SELECT DISTINCT gross(net, 1) FROM item ORDER BY 1 LIMIT 2",
                "SELECT initials(name), COUNT(DISTINCT gross(net, 1)) FROM item GROUP BY initials(name)"
                        + " HAVING gross(SUM(net), 1) > 0",
                "SELECT id FROM item a WHERE EXISTS (SELECT 1 FROM item b WHERE gross(b.net, 1) > gross(a.net, 0))",
                "SELECT (SELECT MAX(gross(b.net, a.id)) FROM item b WHERE b.id = a.id) FROM (SELECT CAST(id AS INT) id"
                        + " FROM item) a",
                "SELECT gross(net, 1) FROM item UNION SELECT gross(net, 2) FROM item",
                "SELECT a.id FROM item a LEFT JOIN item b ON gross(a.net, 1) = gross(b.net, 1)",
                "SELECT id FROM item WHERE id BETWEEN gross(1, 0) AND gross(2, 0)",
                "SELECT id FROM item WHERE id IN (gross(1, 0), gross(2, 0))",
                "VALUES (gross(1, 2))",
                "SELECT STRING_AGG(initials(name), ',') FILTER (WHERE gross(net, 1) > 0) FROM item",
                "SELECT COALESCE(gross(NULL, 1), gross(1, 1)), CASE WHEN gross(1, 1) > 0 THEN 1 END",
                "SELECT id FROM item WHERE initials(name) LIKE 'a%' AND NOT gross(net, 1) IN (1, 2)",
            })
    void everyPlaceOfAStatementMayCallAFunction(String sql) {
        client.execute("CREATE TABLE u (id BIGINT PRIMARY KEY, k BIGINT UNIQUE) PARTITION ON COLUMN id");
        client.execute("CREATE TABLE child (id BIGINT PRIMARY KEY, parent BIGINT REFERENCES item (id))"
                + " PARTITION ON COLUMN id");
        client.execute(sql);
        assertThat(rows("SELECT COUNT(*) FROM u u2, item i WHERE u2.id < 0")).containsExactly("0");
    }

    @Test
    void proceduresAndViewsCallFunctions() {
        client.execute("CREATE PROCEDURE Raise PARTITION ON TABLE item COLUMN id PARAMETER 1 AS UPDATE item SET net ="
                + " gross(net, CAST(? AS INT)) WHERE id = ?");
        assertThat(client.call("Raise", 50, 1L).longValue()).isOne();
        client.execute("CREATE VIEW priced AS SELECT id, gross(net, 20) AS g FROM item");
        assertThat(rows("SELECT g FROM priced WHERE id = 1")).containsExactly("180");
        fails(ErrorCode.DEPENDENT_OBJECTS, "PRICED", "DROP FUNCTION gross");
        client.execute("DROP VIEW priced");
        fails(ErrorCode.DEPENDENT_OBJECTS, "Raise", "DROP FUNCTION gross");
        fails(ErrorCode.DEPENDENT_OBJECTS, "Raise", "DROP FUNCTION IF EXISTS gross(BIGINT, INT)");
        client.execute("DROP PROCEDURE Raise");
        client.execute("DROP FUNCTION gross(BIGINT, INT)");
        fails(ErrorCode.UNKNOWN_OBJECT, "GROSS", "SELECT gross(1, 2)");
        fails(ErrorCode.UNKNOWN_PROCEDURE, "GROSS", "DROP FUNCTION gross");
        client.execute("DROP FUNCTION IF EXISTS gross");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "BOOLEAN|truth|TRUE|true",
                "TINYINT|tiny|CAST(-7 AS TINYINT)|-7",
                "SMALLINT|small|CAST(-700 AS SMALLINT)|-700",
                "INT|whole|-70000|-70000",
                "BIGINT|big|-7000000000|-7000000000",
                "REAL|real|CAST(1.5 AS REAL)|1.5",
                "DOUBLE|twice|CAST(0.1 AS DOUBLE)|0.1",
                "DECIMAL(10,2)|price|12.34|12.34",
                "DECIMAL(38,4)|price|1234567890123456789012345.6789|1234567890123456789012345.6789",
                "VARCHAR(20)|text|'grün 😀'|grün 😀",
                "CHAR(5)|text|'ab'|ab",
                "DATE|day|DATE '2024-02-29'|2024-02-29",
                "TIME|time|TIME '01:02:03.000004'|01:02:03.000004",
                "TIMESTAMP|moment|TIMESTAMP '2024-02-29 01:02:03.000004'|2024-02-29T01:02:03.000004",
                "TIMESTAMPTZ|instant|CAST('2024-02-29 01:02:03+02' AS TIMESTAMPTZ)|2024-02-28T23:02:03Z",
                "UUID|key|CAST('00000000-0000-0001-0000-000000000002' AS UUID)|00000000-0000-0001-0000-000000000002",
            })
    void valuesOfEachTypeAreTheSameBehindAFunction(String type, String method, String value, String shown) {
        client.execute("CREATE FUNCTION f(v " + type + ") RETURNS " + type + " FROM CLASS shop.Same METHOD " + method);
        assertThat(rows("SELECT f(" + value + ")")).containsExactly(shown);
        assertThat(rows("SELECT f(NULL)")).containsExactly("null");
        client.execute("CREATE TABLE t (id INT PRIMARY KEY, v " + type + ")");
        client.execute("INSERT INTO t VALUES (1, f(" + value + ")), (2, NULL)");
        assertThat(rows("SELECT f(v) FROM t ORDER BY id")).containsExactly(shown, "null");
        assertThat(rows("SELECT id FROM t WHERE f(v) = v")).containsExactly("1");
    }

    @Test
    void bytesAreTheSameBehindAFunction() {
        client.execute("CREATE FUNCTION f(v VARBINARY(10)) RETURNS VARBINARY(10) FROM CLASS shop.Same METHOD bytes");
        ResultTable table = client.execute("SELECT f(X'0102ff')").table();
        assertThat((byte[]) table.first().getObject(0)).containsExactly(1, 2, -1);
    }

    /** Compiled code makes other exceptions than interpreted code, so copies of a table would differ. */
    @Test
    void noResultFollowsFromAnExceptionOfTheMachine() {
        client.execute(
                "CREATE FUNCTION length_of(v VARCHAR(40)) RETURNS INT CALLED ON NULL INPUT FROM CLASS shop.Prices"
                        + " METHOD length");
        assertThat(rows("SELECT length_of(name) FROM item WHERE id = 1")).containsExactly("7");
        fails(ErrorCode.PROCEDURE_FAILED, "virtual machine", "SELECT length_of(name) FROM item");
    }

    @Test
    void expressionsInExpressionsDoNotGrowWithoutEnd() {
        client.execute("CREATE FUNCTION twice(a BIGINT) RETURNS BIGINT AS 'SELECT a + a -- as a sum'");
        assertThat(rows("SELECT twice(twice(twice(1)))")).containsExactly("8");
        fails(
                ErrorCode.STATEMENT_TOO_COMPLEX,
                "TWICE",
                "SELECT " + "twice(".repeat(40) + "id" + ")".repeat(40) + " FROM item");
        fails(ErrorCode.NOT_SUPPORTED, "", "CREATE FUNCTION two(a BIGINT) RETURNS BIGINT RETURN a, a + 1");
    }

    @Test
    void documentsAreNeitherTakenNorReturned() {
        fails(ErrorCode.NOT_SUPPORTED, "JSONB", "CREATE FUNCTION f(v JSONB) RETURNS BIGINT FROM CLASS shop.Same");
        fails(ErrorCode.NOT_SUPPORTED, "JSON", "CREATE FUNCTION f(v BIGINT) RETURNS JSON RETURN CAST('1' AS JSON)");
    }

    @Test
    void nullGivesNullUnlessTheFunctionTakesIt() {
        client.execute("CREATE FUNCTION shown(v BIGINT) RETURNS VARCHAR(20) CALLED ON NULL INPUT"
                + " FROM CLASS shop.Prices METHOD shown");
        client.execute("CREATE FUNCTION odd(v BIGINT) RETURNS BIGINT FROM CLASS shop.Prices METHOD odd");
        assertThat(rows("SELECT shown(net) FROM item ORDER BY id")).containsExactly("<100>", "<200>", "none", "<50>");
        assertThat(rows("SELECT odd(id) FROM item ORDER BY id")).containsExactly("1", "null", "3", "null");
        client.execute("CREATE OR REPLACE FUNCTION shown(v BIGINT) RETURNS VARCHAR(20) FROM CLASS shop.Prices"
                + " METHOD shown");
        assertThat(rows("SELECT shown(net) FROM item WHERE id = 3")).containsExactly("null");
        fails(
                ErrorCode.PROCEDURE_REFUSED,
                "cannot be null",
                "CREATE FUNCTION g(a BIGINT, b INT) RETURNS BIGINT CALLED ON NULL INPUT FROM CLASS shop.Prices"
                        + " METHOD gross");
    }

    @Test
    void aRestartKeepsFunctions() {
        client.execute("CREATE FUNCTION half(v BIGINT) RETURNS DECIMAL(20,1) RETURN v / 2.0");
        client.execute("CREATE VIEW v AS SELECT id, gross(net, 20) g, half(net) h FROM item");
        client.execute("CREATE PROCEDURE Raise PARTITION ON TABLE item COLUMN id PARAMETER 1 AS UPDATE item SET net ="
                + " gross(net, CAST(? AS INT)) WHERE id = ?");
        client.call("Raise", 50, 4L);
        for (int i = 0; i < 2; i++) {
            close();
            open();
            assertThat(rows("SELECT * FROM v ORDER BY id"))
                    .containsExactly("1 120 50.0", "2 240 100.0", "3 null null", "4 90 37.5");
            Objects.requireNonNull(node.database().durability()).requestCheckpoint();
        }
        client.execute("DROP VIEW v");
        client.execute("DROP FUNCTION half");
        close();
        open();
        fails(ErrorCode.UNKNOWN_OBJECT, "HALF", "SELECT half(2)");
        assertThat(rows("SELECT gross(100, 1)")).containsExactly("101");
    }

    @Test
    void aBackupHasFunctions() throws InterruptedException {
        client.execute("CREATE FUNCTION half(v BIGINT) RETURNS DECIMAL(20,1) RETURN v / 2.0");
        SmallNode.backUp(node, client, folder.resolve("backup"));
        SmallNode.restore(folder.resolve("backup"), folder.resolve("restored"), 3);
        close();
        node = SmallNode.durable(folder.resolve("restored"), 3);
        client = FulmarClient.connect("127.0.0.1:" + node.port());
        assertThat(rows("SELECT gross(net, 20), half(net) FROM item WHERE id = 1"))
                .containsExactly("120 50.0");
    }

    @Test
    void newClassesReplaceFunctionsOfTheOldOnes() throws IOException {
        client.execute("CREATE PROCEDURE Priced AS SELECT gross(net, 20) FROM item WHERE id = ?");
        assertThat(rows("SELECT gross(100, 20)")).containsExactly("120");
        client.loadClasses(CompiledJar.of(
                folder,
                "Prices",
                "public final class Prices { public static long gross(long net, int percent) { return -net; }"
                        + " public static String initials(String name) { return \"?\"; } }"));
        assertThat(rows("SELECT gross(100, 20), initials('a b')")).containsExactly("-100 ?");
        assertThat(client.call("Priced", 1L).table().first().getLong(0)).isEqualTo(-100);
        Path without = CompiledJar.of(
                folder,
                "Prices",
                "public final class Prices { public static String initials(String name) { return \"!\"; } }");
        assertThatThrownBy(() -> client.loadClasses(without)).hasMessageContaining("GROSS");
        assertThat(rows("SELECT gross(100, 20), initials('a b')"))
                .as("nothing changes")
                .containsExactly("-100 ?");
        close();
        open();
        assertThat(rows("SELECT gross(100, 20), initials('a b')")).containsExactly("-100 ?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE t (id BIGINT PRIMARY KEY, v BIGINT CHECK (gross(v, 1) > 0))",
                "CREATE TABLE t (id BIGINT PRIMARY KEY, v BIGINT DEFAULT gross(1, 2))",
                "CREATE INDEX i ON item (gross(net, 1))",
                "CREATE MATERIALIZED VIEW m AS SELECT net, SUM(gross(id, 1)) s, COUNT(*) c FROM item GROUP BY net",
                "CREATE FUNCTION f(a BIGINT) RETURNS BIGINT RETURN gross(a, 1)",
            })
    void whatIsStoredDependsOnNoFunction(String sql) {
        fails(ErrorCode.NOT_SUPPORTED, "function of users", sql);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "f(a BIGINT) RETURNS BIGINT FROM CLASS shop.Nothing|UNKNOWN_OBJECT|no class shop.Nothing",
                "f(a BIGINT) RETURNS BIGINT FROM CLASS shop.Prices|PROCEDURE_REFUSED|METHOD name",
                "f(a BIGINT) RETURNS BIGINT FROM CLASS shop.Prices METHOD nothing|PROCEDURE_REFUSED|0 public static methods",
                "f(a BIGINT) RETURNS BIGINT FROM CLASS shop.Prices METHOD gross|PROCEDURE_REFUSED|takes 2 arguments",
                "f(a BIGINT, b BIGINT) RETURNS BIGINT FROM CLASS shop.Prices METHOD gross|PROCEDURE_REFUSED|parameter B is declared as BIGINT",
                "f(a BIGINT, b INT) RETURNS VARCHAR(10) FROM CLASS shop.Prices METHOD gross|PROCEDURE_REFUSED|the result is declared",
                "upper(a VARCHAR) RETURNS VARCHAR(10) RETURN a|OBJECT_EXISTS|UPPER is a function of SQL",
                "gross(a BIGINT) RETURNS BIGINT RETURN a|OBJECT_EXISTS|GROSS exists",
                "f(a BIGINT, a INT) RETURNS BIGINT RETURN a|SYNTAX|two parameters",
                "f(a BIGINT) RETURNS BIGINT RETURN b|UNKNOWN_OBJECT|no column B",
                "f(a BIGINT) RETURNS BIGINT RETURN (SELECT MAX(id) FROM item)|UNKNOWN_OBJECT|ITEM",
                "f(a BIGINT) RETURNS BIGINT VOLATILE RETURN a|NOT_SUPPORTED|yields the same",
                "f(a BIGINT) RETURNS TIMESTAMP RETURN CURRENT_TIMESTAMP|NOT_SUPPORTED|clock",
                "f(a BIGINT) RETURNS BIGINT LANGUAGE plpgsql AS 'x'|NOT_SUPPORTED|JAVA or SQL",
            })
    void aWrongFunctionIsRefused(String function, ErrorCode code, String part) {
        fails(code, part, "CREATE FUNCTION " + function);
    }

    @Test
    void wrongCallsSayWhy() {
        fails(ErrorCode.SYNTAX, "GROSS takes 2 arguments", "SELECT gross(1)");
        fails(ErrorCode.TYPE_MISMATCH, "GROSS does not take INTEGER and BOOLEAN", "SELECT gross(1, TRUE)");
        fails(ErrorCode.UNKNOWN_PROCEDURE, "GROSS", "CALL gross(1, 2)");
        client.execute("CREATE FUNCTION short(v VARCHAR(40)) RETURNS VARCHAR(2) FROM CLASS shop.Same METHOD text");
        fails(ErrorCode.STRING_TOO_LONG, "", "SELECT short('abc')");
        client.execute("CREATE FUNCTION tiny(v BIGINT) RETURNS TINYINT FROM CLASS shop.Same METHOD big");
        fails(ErrorCode.VALUE_OUT_OF_RANGE, "TINY", "SELECT tiny(1000)");
        client.execute("CREATE PROCEDURE P AS SELECT 1");
        fails(ErrorCode.OBJECT_EXISTS, "P", "CREATE FUNCTION p() RETURNS INT RETURN 1");
        fails(ErrorCode.OBJECT_EXISTS, "function Gross", "CREATE PROCEDURE Gross AS SELECT 1");
    }

    @Test
    void aFunctionOfSqlIsItsExpression() {
        client.execute("CREATE FUNCTION net(gross DECIMAL(10,2), percent INT) RETURNS DECIMAL(10,2) LANGUAGE SQL"
                + " RETURN gross * 100 / (100 + percent)");
        client.execute("CREATE FUNCTION greeting(name VARCHAR(20)) RETURNS VARCHAR(40) AS"
                + " 'SELECT ''hello '' || COALESCE(name, ''nobody'');' LANGUAGE SQL IMMUTABLE");
        client.execute("CREATE FUNCTION one() RETURNS BIGINT RETURN 1");
        assertThat(rows("SELECT net(120, 20), greeting('ann'), greeting(NULL), one()"))
                .containsExactly("100.00 hello ann hello nobody 1");
        assertThat(rows("SELECT name FROM item WHERE id = one() + ?", 1L)).containsExactly("cid dee");
        client.execute("INSERT INTO item VALUES (one() + 99, one(), greeting('x'))");
        assertThat(rows("SELECT name FROM item WHERE id = 100")).containsExactly("hello x");
        assertThat(rows("EXPLAIN SELECT net(net, 20) FROM item").toString()).contains("100");
        client.execute("CREATE OR REPLACE FUNCTION one() RETURNS BIGINT RETURN 2");
        assertThat(rows("SELECT one()")).containsExactly("2");
    }

    @Test
    void functionsAreListed() {
        client.execute("CREATE FUNCTION half(v BIGINT) RETURNS DECIMAL(20,1) RETURN v / 2.0");
        assertThat(rows("SELECT * FROM INFORMATION_SCHEMA.ROUTINES").toString())
                .contains("GROSS FUNCTION JAVA shop.Prices.gross")
                .contains("HALF FUNCTION SQL v / 2.0");
        List<String> made = rows("SELECT * FROM INFORMATION_SCHEMA.DEFINITIONS WHERE OBJECT_TYPE = 'FUNCTION'");
        assertThat(made).hasSize(3);
        client.execute("DROP FUNCTION half");
        String half =
                made.stream().filter(row -> row.contains("HALF")).findFirst().orElseThrow();
        client.execute(half.substring(half.indexOf("CREATE")));
        assertThat(rows("SELECT half(3)")).containsExactly("1.5");
        assertThat(rows("EXPLAIN SELECT gross(net, 20) FROM item").toString()).contains("GROSS(NET, 20)");
    }
}
