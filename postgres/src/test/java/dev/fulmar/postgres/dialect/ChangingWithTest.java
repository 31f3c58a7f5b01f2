package dev.fulmar.postgres.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that begin with WITH and change rows, as text. */
class ChangingWithTest {
    private static final PassedItem ITEM = new PassedItem(
            "m", List.of("id", "V"), List.of(ColumnType.of(TypeKind.BIGINT), ColumnType.of(TypeKind.JSON)), 3);

    /** Each part as its name, whether it changes rows, what it reads, and its text. */
    private static List<String> parts(String sql) {
        ChangingWith with = ChangingWith.of(sql, 0).orElseThrow();
        List<ChangingWith.Item> items = new ArrayList<>(with.items());
        items.add(with.main());
        return items.stream()
                .map(item -> item.name() + (item.changes() ? "!" : "") + item.columns() + item.reads() + " "
                        + item.text().text())
                .toList();
    }

    private static String passed(String sql) {
        return Translator.translate(
                        new Translator.Part(sql, 0), FixedFacts.OF_ANN, List.of(20, 20), false, Map.of("m", ITEM))
                .sql();
    }

    @Test
    void partsHaveTheirTextsAndTheItemsThatTheyRead() {
        assertThat(parts("WITH a (x) AS MATERIALIZED (SELECT 1), b AS (DELETE FROM t USING a WHERE id = x RETURNING *)"
                        + " INSERT INTO u SELECT * FROM b"))
                .containsExactly(
                        "a[x][] SELECT 1",
                        "b![][a] DELETE FROM t USING a WHERE id = x RETURNING *",
                        "![][b] INSERT INTO u SELECT * FROM b");
    }

    @Test
    void errorsPointAtTheirPlaceInTheWholeStatement() {
        String sql = "WITH b AS (DELETE FROM t RETURNING *) SELECT * FROM b";
        ChangingWith with = ChangingWith.of(sql, 7).orElseThrow();
        assertThat(with.items().getFirst().text().start()).isEqualTo(7 + sql.indexOf("DELETE"));
        assertThat(with.main().text().start()).isEqualTo(7 + sql.indexOf("SELECT"));
    }

    @Test
    void anItemThatReadsItselfKeepsItsRecursion() {
        assertThat(parts("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n), d AS (DELETE FROM t)"
                        + " SELECT 1"))
                .first()
                .isEqualTo("n[i][] WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT * FROM n");
    }

    /** It is the change that counts, and what it reads. */
    @Test
    void aChangeMayHaveAWithOfItsOwn() {
        String insert = "WITH b (update) AS (SELECT x FROM c), d AS (SELECT 2) INSERT INTO log TABLE b RETURNING id";
        assertThat(parts("WITH c AS (SELECT 1 AS x), a AS (" + insert + ") SELECT 1, 2 FROM a"))
                .containsExactly("c[][] SELECT 1 AS x", "a![][c] " + insert, "[][a] SELECT 1, 2 FROM a");
        assertThat(FixedFacts.words("WITH b AS (SELECT 1 AS x) INSERT INTO log TABLE b"))
                .isEqualTo("INSERT INTO log WITH b AS (SELECT 1 AS x) TABLE b");
        assertThat(parts("WITH a AS (WITH b AS (SELECT 1) INSERT INTO log SELECT * FROM b) SELECT count(*) FROM log"))
                .last()
                .isEqualTo("[][#2] SELECT*FROM\"#2\"         ");
        assertThat(parts("WITH a AS (DELETE FROM t), q AS (WITH update AS (SELECT 1) SELECT * FROM update) SELECT 1"))
                .contains("q[][] WITH update AS (SELECT 1) SELECT * FROM update");
    }

    /** They are not the query's, and its WITH is not theirs. */
    @Test
    void anInsertReadsItemsBehindItsQueryAsAPart() {
        String returning = " INSERT INTO t SELECT x FROM a RETURNING (SELECT x FROM a)";
        String conflict = " INSERT INTO t SELECT x FROM a ON CONFLICT (id) DO UPDATE SET id = (SELECT x FROM a)";
        for (String insert : List.of(returning, conflict)) {
            assertThat(parts("WITH a AS (SELECT 1 AS x)" + insert))
                    .last()
                    .asString()
                    .startsWith("![][a] INSERT");
            assertThat(refusal("WITH c AS (WITH a AS (SELECT 1 AS x)" + insert + ") SELECT 1"))
                    .isEqualTo(ErrorCode.NOT_SUPPORTED);
        }
    }

    @Test
    void theQueryTableIsRowsOfItsItem() {
        assertThat(parts("WITH d AS (DELETE FROM t RETURNING id) (TABLE d) UNION ALL TABLE ONLY d ORDER BY id"))
                .last()
                .asString()
                .startsWith("[][d] ");
        String rows = passed("SELECT * FROM m").strip();
        assertThat(passed("TABLE m")).isEqualTo(rows + " ");
        assertThat(passed("TABLE ONLY m LIMIT 1")).isEqualTo(rows + " LIMIT 1");
        assertThat(passed("INSERT INTO t TABLE m")).isEqualTo("INSERT INTO t " + rows + " ");
        assertThat(passed("SELECT 1 IN (TABLE m)")).isEqualTo("SELECT 1 IN ( " + rows + " )");
        assertThat(passed("SELECT t.table m FROM t")).doesNotContain("UNNEST");
        assertThat(parts("WITH \"union\" AS (DELETE FROM u RETURNING id) SELECT 1 AS table UNION SELECT 2"))
                .last()
                .asString()
                .startsWith("[][] ");
    }

    private static ErrorCode refusal(String sql) {
        return assertThatThrownBy(() -> ChangingWith.of(sql, 0))
                .asInstanceOf(InstanceOfAssertFactories.type(FulmarException.class))
                .actual()
                .code();
    }

    @Test
    void anItemThatReadsItselfChangesNothing() {
        assertThat(refusal("WITH RECURSIVE d AS (INSERT INTO t SELECT id FROM d RETURNING id) SELECT 1"))
                .isEqualTo(ErrorCode.INVALID_RECURSION);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WITH a AS (SELECT 1) SELECT * FROM a",
                "WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a",
                "SELECT 'WITH a AS (DELETE FROM t)'",
                "INSERT INTO t SELECT 1",
                "EXPLAIN WITH a AS (SELECT 'DELETE') SELECT * FROM a",
                "WITH a AS (SELECT 1 FROM t FOR UPDATE) SELECT * FROM (WITH a AS (SELECT 2) SELECT * FROM a) AS q",
                "WITH a AS (SELECT 1), a AS (SELECT 2) SELECT * FROM t FOR UPDATE",
                "WITH a AS SELECT DELETE",
                "WITH (DELETE FROM t) SELECT 1"
            })
    void otherStatementsAreOne(String sql) {
        assertThat(ChangingWith.of(sql, 0)).isEmpty();
    }

    @Test
    void queriesBeforeAnInsertAreThoseOfItsQuery() {
        assertThat(FixedFacts.words("WITH a AS (SELECT 1 AS x) INSERT INTO t (id) SELECT x FROM a"))
                .isEqualTo("INSERT INTO t (id) WITH a AS (SELECT 1 AS x) SELECT x FROM a");
        String shadowed = "WITH a AS (SELECT 1) SELECT * FROM (WITH a AS (SELECT 2) SELECT * FROM a) AS q";
        assertThat(FixedFacts.words(shadowed)).isEqualTo(shadowed);
        assertThat(FixedFacts.translated("WITH a AS (SELECT 1 AS x) INSERT INTO t SELECT x FROM a")
                        .firstWord())
                .isEqualTo("INSERT");
        assertThat(parts("WITH a AS (SELECT 1 AS x) INSERT INTO t VALUES ((SELECT x FROM a))"))
                .hasSize(2);
    }

    /** It reads the table as it was, so it is an item that runs first. */
    @Test
    void aQueryOfAUnionThatReadsAChangedTableBecomesAnItem() {
        assertThat(parts("WITH i AS (INSERT INTO tags VALUES (1) RETURNING id)"
                        + " SELECT id FROM i UNION ALL (SELECT id FROM tags WHERE id = 1) LIMIT 1"))
                .containsExactly(
                        "i![][] INSERT INTO tags VALUES (1) RETURNING id",
                        "#2[][] SELECT id FROM tags WHERE id = 1",
                        "[][i, #2] SELECT id FROM i UNION ALL (SELECT*FROM\"#2\"                 ) LIMIT 1");
        assertThat(parts("WITH i AS (DELETE FROM tags) SELECT count(*) FROM tags"))
                .last()
                .isEqualTo("[][#2] SELECT*FROM\"#2\"          ");
        assertThat(parts("WITH \"#2\" AS (DELETE FROM tags) SELECT count(*) FROM tags"))
                .last()
                .isEqualTo("[][#2#] SELECT*FROM\"#2#\"         ");
        assertThat(parts("WITH i AS (DELETE FROM tags) SELECT id FROM tags ORDER BY id"))
                .hasSize(2);
        assertThat(parts("WITH i AS (DELETE FROM tags RETURNING *) SELECT * FROM tags, i"))
                .hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WITH a AS (SELECT 1), b AS (WITH c AS (DELETE FROM t RETURNING id) SELECT * FROM c) DELETE FROM t",
                "WITH a AS (DELETE FROM t) SELECT * FROM (WITH c AS (DELETE FROM t RETURNING id) SELECT * FROM c) AS q",
                "WITH a AS (MERGE INTO t USING u ON t.id = u.id WHEN MATCHED THEN DELETE) SELECT 1",
                "WITH a AS (DELETE FROM t RETURNING id) SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) AS q",
                "WITH RECURSIVE a AS (SELECT * FROM b), b AS (DELETE FROM t RETURNING id) SELECT * FROM a",
                "WITH a AS (WITH b AS (SELECT 1 AS id) DELETE FROM t USING b WHERE t.id = b.id) SELECT 1",
                "WITH a AS (WITH b AS (SELECT 1 AS id) UPDATE t SET id = 2 FROM b) SELECT 1",
                "WITH a AS (WITH b AS (SELECT 1 AS id) INSERT INTO t VALUES ((SELECT id FROM b))) SELECT 1",
                "WITH a AS (WITH b AS (SELECT 1 AS id) INSERT INTO t (SELECT id FROM b)) SELECT 1",
                "WITH RECURSIVE a AS (WITH RECURSIVE b AS (SELECT 1) SEARCH DEPTH FIRST BY x SET y INSERT INTO t"
                        + " SELECT * FROM b) SELECT 1",
                "WITH a AS (WITH b AS (WITH c AS (SELECT 1) INSERT INTO t SELECT * FROM c) SELECT 2) SELECT * FROM a",
                "EXPLAIN WITH a AS (WITH b AS (SELECT 1) INSERT INTO t SELECT * FROM b) SELECT 1",
                "COPY (WITH a AS (WITH b AS (SELECT 1) INSERT INTO t SELECT * FROM b) SELECT 1) TO STDOUT",
                "EXPLAIN WITH a AS (DELETE FROM t) SELECT 1",
                "EXPLAIN (ANALYZE) WITH a AS (SELECT 1) UPDATE t SET id = 1 FROM a",
                "DECLARE c CURSOR FOR WITH a AS (DELETE FROM t RETURNING id) SELECT * FROM a",
                "COPY (WITH a AS (DELETE FROM t RETURNING id) SELECT * FROM a) TO STDOUT",
                "CREATE VIEW v AS WITH a AS (DELETE FROM t RETURNING id) SELECT * FROM a"
            })
    void whatIsNotSupportedSaysSo(String sql) {
        assertThatThrownBy(() -> ChangingWith.of(sql, 0))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED));
    }

    @Test
    void namesAndNumbersOfItemsAreLimited() {
        assertThatThrownBy(() -> ChangingWith.of("WITH a AS (DELETE FROM t), a AS (SELECT 1) SELECT 1", 0))
                .hasMessageContaining("two items a");
        String items = IntStream.range(0, 101)
                .mapToObj(i -> "i" + i + " AS (DELETE FROM t)")
                .collect(Collectors.joining(", "));
        assertThatThrownBy(() -> ChangingWith.of("WITH " + items + " SELECT 1", 0))
                .hasMessageContaining("at most 100 items");
    }

    @Test
    void rowsStandInPlaceOfTheNamesOfTables() {
        String rows = "(SELECT C1 AS \"ID\", CAST(C2 AS JSON) AS \"v\" FROM UNNEST(CAST( ? AS BIGINT ARRAY), CAST("
                + " ? AS VARCHAR ARRAY)) AS PASSED (C1, C2))";
        String named = rows + " AS \"M\"";
        assertThat(passed("SELECT m.id, m FROM m WHERE $1 = 1"))
                .isEqualTo("SELECT m.id, m FROM " + named + " WHERE ? = 1");
        assertThat(passed("SELECT m FROM m AS x, M y, \"m\" JOIN m z ON TRUE"))
                .isEqualTo(
                        "SELECT m FROM " + rows + " AS x, " + rows + " y, " + named + " JOIN " + rows + " z ON TRUE");
        assertThat(passed("SELECT 1 FROM (m JOIN t ON TRUE)"))
                .isEqualTo("SELECT 1 FROM ( " + named + " JOIN t ON TRUE)");
        assertThat(passed("UPDATE m SET m = 1 FROM m q WHERE m IN (SELECT m FROM m)"))
                .isEqualTo("UPDATE m SET m = 1 FROM " + rows + " q WHERE m IN (SELECT m FROM " + named + " )");
        assertThat(passed("DELETE FROM m USING m q")).isEqualTo("DELETE FROM m USING " + rows + " q");
        assertThat(passed("DELETE FROM t USING (m JOIN u USING (m))"))
                .isEqualTo("DELETE FROM t USING ( " + named + " JOIN u USING (m))");
        for (String other : List.of(
                "SELECT m IS DISTINCT FROM m FROM t",
                "SELECT EXTRACT(YEAR FROM m), SUBSTRING(a FROM m) FROM t",
                "SELECT * FROM s.m, m.t",
                "SELECT * FROM t JOIN u USING (m) ORDER BY a, m",
                "INSERT INTO m VALUES (m, m)")) {
            assertThat(passed(other)).doesNotContain("UNNEST");
        }
    }

    /** A table may have many columns. */
    @Test
    void rowsOfManyColumnsArePassed() {
        List<String> names = IntStream.range(0, 1_600).mapToObj(i -> "c" + i).toList();
        List<ColumnType> types =
                names.stream().map(name -> ColumnType.of(TypeKind.BIGINT)).toList();
        Map<String, PassedItem> items = Map.of("m", new PassedItem("m", names, types, 1));
        Translation translation = Translator.translate(
                new Translator.Part("SELECT * FROM m", 0), FixedFacts.OF_ANN, List.of(), false, items);
        assertThat(translation.parameters()).hasSize(1_600);
        assertThat(Optional.of(translation.firstWord())).contains("SELECT");
    }
}
