package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.spi.PlanningTurn;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.StatementLimits;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatementLimitsTest {
    private static final StatementLimits LIMITS = StatementLimits.DEFAULT;

    private final SqlCompiler compiler = new SqlCompiler();
    private final Catalog catalog = CatalogFixture.of(
            compiler, "CREATE TABLE t (a INT NOT NULL PRIMARY KEY, b INT); PARTITION TABLE t ON COLUMN a");

    private void assertTooComplex(String sql) {
        assertThatThrownBy(() -> compiler.compile(sql, catalog))
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        error -> assertThat(error.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX));
    }

    private void assertPlanned(String sql) {
        assertThat(compiler.compile(sql, catalog)).isInstanceOf(SqlFrontend.Compiled.Runnable.class);
    }

    @Test
    void nestingUpToTheLimitIsPlannedAndBeyondRefused() {
        int deepest = LIMITS.depth();
        assertPlanned("SELECT " + "(".repeat(deepest) + "1" + ")".repeat(deepest) + " FROM t");
        assertTooComplex("SELECT " + "(".repeat(deepest + 1) + "1" + ")".repeat(deepest + 1) + " FROM t");
    }

    @Test
    void nestedSubqueriesUpToTheLimitArePlanned() {
        assertPlanned(
                "SELECT a FROM t WHERE a IN (" + "SELECT a FROM t WHERE a IN (".repeat(20) + "1" + ")".repeat(21));
    }

    @ParameterizedTest
    @ValueSource(strings = {"NOT ", "- ", "+ ", "(", "CASE WHEN ", "(SELECT ", "a IS NULL IS ", "a = "})
    void endlessPrefixesAreRefused(String prefix) {
        assertTooComplex("SELECT a FROM t WHERE " + prefix.repeat(20_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {" AND b <> 1", " OR b = 2", " AND (a = 1 OR b = 2)"})
    void longConditionsUpToTheLimitArePlanned(String link) {
        assertPlanned("SELECT a FROM t WHERE a = 1" + link.repeat(LIMITS.conditions() / 2));
        assertTooComplex("SELECT a FROM t WHERE a = 1" + link.repeat(LIMITS.conditions() + 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {" + b", " * b", " - b"})
    void longSumsUpToTheLimitArePlanned(String link) {
        assertPlanned("SELECT a" + link.repeat(LIMITS.operators()) + " FROM t");
        assertTooComplex("SELECT a" + link.repeat(LIMITS.operators() + 1) + " FROM t");
    }

    @Test
    void longTextsUpToTheLimitArePlanned() {
        assertPlanned("SELECT a" + " || 'x'".repeat(LIMITS.operators()) + " FROM (VALUES ('y')) AS s (a)");
    }

    /** Each level took three times the work of the one below, once. */
    @ParameterizedTest
    @ValueSource(strings = {"GREATEST(", "LEAST(", "\"#GREATEST\"(", "\"#CONCAT\"(", "CONCAT_WS("})
    void nestedCallsUpToTheLimitArePlanned(String call) {
        int deepest = LIMITS.depth();
        assertPlanned("SELECT " + call.repeat(deepest) + "b" + ", b)".repeat(deepest) + " FROM t");
    }

    @Test
    void numbersOfMoreDigitsThanAnyTypeHoldsAreRefusedBeforeTheyAreRead() {
        assertPlanned("SELECT a FROM t WHERE b = " + "0".repeat(LIMITS.digits() - 1) + "1");
        assertTooComplex("SELECT a FROM t WHERE b = " + "0".repeat(LIMITS.digits()) + "1");
        assertTooComplex("SELECT " + "9".repeat(500_000));
    }

    @Test
    void manyShortExpressionsAreNotDeep() {
        assertPlanned("SELECT " + list("a + b * #", 400) + " FROM t WHERE a = 1");
    }

    @Test
    void listsUpToTheLimitArePlanned() {
        assertPlanned("SELECT a FROM t WHERE a IN (" + list("?", LIMITS.listItems()) + ")");
        assertPlanned("SELECT a FROM t WHERE b IN (" + list("#", LIMITS.listItems()) + ")");
        assertPlanned("SELECT a FROM t WHERE b NOT IN (" + list("#", LIMITS.listItems()) + ")");
        assertTooComplex("SELECT a FROM t WHERE b IN (" + list("#", LIMITS.listItems() + 1) + ")");
    }

    /** Each takes long to plan in another part of the planner. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT COLUMNS FROM t",
                "SELECT COUNT(*) FROM w t0, w t1, w t2, w t3, w t4, w t5, w t6, w t7, w t8, w t9",
                "SELECT * FROM w UNION SELECT * FROM w UNION SELECT * FROM w UNION SELECT * FROM w",
                "SELECT a FROM t WHERE a IN (SELECT b FROM t WHERE a IN (SELECT b FROM t WHERE EXISTS (SELECT 1 FROM"
                        + " w)))",
                "INSERT INTO t VALUES ROWS"
            })
    void planningEndsWithItsTurnWhereverItIs(String pattern) {
        Catalog wide = CatalogFixture.of(
                compiler,
                "CREATE TABLE t (a INT NOT NULL PRIMARY KEY, b INT); CREATE TABLE w (k INT NOT NULL PRIMARY KEY, "
                        + list("c# INT", 99) + ")");
        String sql = pattern.replace("COLUMNS", list("a + # AS c#", 200)).replace("ROWS", list("(#, 1)", 300));
        int[] checks = new int[1];
        PlanningTurn.within(() -> checks[0]++, () -> compiler.compile(sql, wide));
        assertThat(checks[0]).isGreaterThan(100);
        int all = checks[0];
        for (int end = 1; end < all; end += all / 10) {
            int last = end;
            checks[0] = 0;
            PlanningTurn turn = () -> {
                if (++checks[0] >= last) {
                    throw new FulmarException(ErrorCode.TIMEOUT, "over");
                }
            };
            assertThatThrownBy(() -> PlanningTurn.within(turn, () -> compiler.compile(sql, wide)))
                    .isInstanceOfSatisfying(
                            FulmarException.class,
                            error -> assertThat(error.code()).isEqualTo(ErrorCode.TIMEOUT));
        }
    }

    /** Items; # stands for the item's number. */
    private static String list(String item, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> item.replace("#", Integer.toString(i * 2)))
                .collect(Collectors.joining(", "));
    }

    private String refusalOf(String sql) {
        try {
            compiler.compile(sql, catalog);
        } catch (FulmarException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX);
            return String.valueOf(e.getMessage());
        }
        throw new AssertionError("it was compiled");
    }

    @Test
    void columnsOfAResultAreCountedWhileTheTextIsRead() {
        String columns = list("a AS c#", LIMITS.columns() + 1);
        assertThat(refusalOf("SELECT " + columns + " FROM t")).contains("selects more than 1664 columns");
        assertThat(refusalOf("SELECT a FROM (SELECT " + columns + " FROM t) x")).contains("more than 1664 columns");
        assertThat(refusalOf("DELETE FROM t RETURNING " + columns)).contains("more than 1664 columns");
        assertThat(refusalOf("SELECT a FROM t UNION ALL SELECT " + columns + " FROM t"))
                .contains("more than 1664 columns");
    }

    @Test
    void columnsThatAStarStandsForAreCountedToo() {
        Catalog wide =
                CatalogFixture.of(compiler, "CREATE TABLE w (k INT NOT NULL PRIMARY KEY, " + list("c# INT", 999) + ")");
        assertThat(compiler.compile("SELECT * FROM w", wide)).isInstanceOf(SqlFrontend.Compiled.Runnable.class);
        assertThatThrownBy(() -> compiler.compile("SELECT w.*, w.* FROM w", wide))
                .isInstanceOfSatisfying(FulmarException.class, error -> {
                    assertThat(error.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX);
                    assertThat(error).hasMessageContaining("selects more than 1664 columns");
                });
    }

    @Test
    void aJoinedRowHasALimit() {
        Catalog wide = CatalogFixture.of(
                compiler,
                "CREATE TABLE t (a INT NOT NULL PRIMARY KEY, b INT); CREATE TABLE w (k INT NOT NULL PRIMARY KEY, "
                        + list("c# INT", 999) + ")");
        assertThat(compiler.compile("SELECT COUNT(*) FROM w a, w b, t", wide))
                .isInstanceOf(SqlFrontend.Compiled.Runnable.class);
        assertThat(compiler.compile("SELECT COUNT(*) FROM w a, w b, (SELECT k, c2 FROM w) e WHERE a.k = e.k", wide))
                .isInstanceOf(SqlFrontend.Compiled.Runnable.class);
        for (String joins : List.of("w a, w b, w c", "w a JOIN w b USING (k) JOIN w c USING (k)")) {
            assertThatThrownBy(() -> compiler.compile("SELECT COUNT(*) FROM " + joins, wide))
                    .isInstanceOfSatisfying(FulmarException.class, error -> {
                        assertThat(error.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX);
                        assertThat(error).hasMessageContaining("the limit is 2048; join queries instead");
                    });
        }
    }

    @Test
    void theColumnsOfAllQueriesTogetherAreCounted() {
        Catalog wide =
                CatalogFixture.of(compiler, "CREATE TABLE w (k INT NOT NULL PRIMARY KEY, " + list("c# INT", 999) + ")");
        String union = String.join(" UNION ALL ", Collections.nCopies(7, "SELECT * FROM w"));
        assertThatThrownBy(() -> compiler.compile(union, wide))
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        error -> assertThat(error.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX));
    }

    /** Memory stands for the work here: unlike time it is the same on a busy machine. */
    @Test
    void planningGrowsWithTheColumnsAndNotWithTheirSquare() {
        bytesToPlan(1_600);
        assertThat(bytesToPlan(1_600)).isLessThan(3 * bytesToPlan(800));
    }

    private long bytesToPlan(int columns) {
        return bytesToPlan("SELECT " + list("a + b * # AS c#", columns) + " FROM t", catalog);
    }

    /** Each new value is planned at its place in the text, which once was copied for each. */
    @Test
    void aLongTextIsNotCopiedForEachValueOfOnConflict() {
        int columns = 200;
        int blanks = 300_000;
        Catalog wide = CatalogFixture.of(
                compiler, "CREATE TABLE w (k INT NOT NULL PRIMARY KEY, " + list("c# INT", columns) + ")");
        bytesToPlan(onConflict(columns, 1), wide);
        long plain = bytesToPlan(onConflict(columns, 1), wide);
        assertThat(bytesToPlan(onConflict(columns, blanks), wide) - plain).isLessThan(100L * blanks);
    }

    private static String onConflict(int columns, int blanks) {
        return "INSERT INTO w (k) VALUES (1) ON CONFLICT (k) DO UPDATE SET" + " ".repeat(blanks)
                + list("c# = 1", columns);
    }

    private long bytesToPlan(String sql, Catalog catalog) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThat(compiler.compile(sql, catalog)).isInstanceOf(SqlFrontend.Compiled.Runnable.class);
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void whatHasMoreColumnsThanATableSaysSo() {
        int most = LIMITS.tableColumns();
        String named = list("c#", most + 1);
        String defined = list("c# INT", most + 1);
        assertThat(refusalOf("CREATE TABLE w (" + defined + ")")).contains("a table has at most 1024 columns");
        assertThat(refusalOf("CREATE TABLE w (" + list("c# INT", 10_000) + ")")).contains("more than 1024 columns");
        assertThat(refusalOf("INSERT INTO t (" + named + ") VALUES (1)")).contains("more than 1024 columns");
        assertThat(refusalOf("INSERT INTO t VALUES (" + list("#", most + 1) + ")"))
                .contains("more than 1024 columns");
        assertThat(refusalOf("UPDATE t SET " + list("c# = 1", most + 1))).contains("more than 1024 columns");
        CatalogFixture.of(
                compiler,
                "CREATE TABLE w (k INT NOT NULL PRIMARY KEY, " + list("c# INT", most - 1) + ", CHECK (k > 0))");
    }

    @Test
    void listsAreCountedOutsideParenthesesToo() {
        assertTooComplex("SELECT a FROM t ORDER BY " + list("a", LIMITS.listItems() + 1));
        assertTooComplex("SELECT a FROM t GROUP BY " + list("a", LIMITS.listItems() + 1));
    }

    @Test
    void aComparisonThatSaysFromListsNoTables() {
        assertPlanned("SELECT a IS DISTINCT FROM b, " + list("a", LIMITS.tables() + 5) + " FROM t");
    }

    @Test
    void tablesAreCounted() {
        assertPlanned("SELECT a FROM t" + " UNION ALL SELECT a FROM t".repeat(LIMITS.tables()));
        assertTooComplex("SELECT a FROM t" + " UNION ALL SELECT a FROM t".repeat(LIMITS.tables() + 1));
        assertTooComplex("SELECT 1 FROM " + list("t t#", LIMITS.tables() + 2));
        assertTooComplex("SELECT 1 FROM t" + " CROSS JOIN t".repeat(LIMITS.tables() + 1));
    }

    @Test
    void aJoinOfManyTablesIsPlanned() {
        StringBuilder sql = new StringBuilder("SELECT t0.b FROM t t0");
        for (int i = 1; i <= 20; i++) {
            sql.append(" JOIN t t" + i + " ON t" + i + ".a = t" + (i - 1) + ".a");
        }
        assertPlanned(sql.toString());
    }

    @Test
    void lengthIsChecked() {
        assertTooComplex("SELECT '" + "x".repeat(LIMITS.characters()) + "' FROM t");
    }

    @Test
    void tokensAreCounted() {
        assertTooComplex("SELECT a" + " a".repeat(LIMITS.tokens()) + " FROM t");
    }

    /** Its string does not end, which would be an error of another kind. */
    @Test
    void theRestOfARefusedTextIsNotRead() {
        assertTooComplex("SELECT " + "(".repeat(LIMITS.depth() + 1) + " 'never ends");
    }

    @Test
    void manyRowsAreOneStatement() {
        assertPlanned("INSERT INTO t VALUES " + list("(#, ?)", 500));
    }
}
