package dev.fulmar.sql.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.RowLock;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** FOR UPDATE and its kin are found and taken out of queries, and of nothing else. */
class LockingClauseTest {
    private static LockingClause of(String sql) {
        return LockingClause.of(sql, Tokenizer.tokens(sql));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "FOR UPDATE                      | EXCLUSIVE",
                "for no key update               | EXCLUSIVE",
                "FOR UPDATE OF t, s.\"U\"         | EXCLUSIVE",
                "FOR UPDATE OF t NOWAIT          | EXCLUSIVE_AT_ONCE",
                "FOR UPDATE SKIP LOCKED          | EXCLUSIVE_OR_SKIP",
                "FOR UPDATE OF t SKIP LOCKED     | EXCLUSIVE_OR_SKIP",
                "FOR KEY SHARE SKIP LOCKED       | SHARED_OR_SKIP",
                "FOR SHARE NOWAIT                | SHARED",
                "FOR SHARE                       | SHARED",
                "FOR KEY SHARE                   | SHARED",
                "FOR SHARE OF a FOR UPDATE OF b  | EXCLUSIVE",
                "FOR UPDATE OF a FOR SHARE OF b  | EXCLUSIVE",
            })
    void aQueryHasAWish(String clause, RowLock lock) {
        LockingClause found = of("SELECT a FROM t WHERE b = 'x' " + clause);
        assertThat(found.lock()).contains(lock);
        assertThat(found.query().strip()).isEqualTo("SELECT a FROM t WHERE b = 'x'");
    }

    @Test
    void otherClausesMayFollow() {
        assertThat(of("(SELECT 1) FOR UPDATE LIMIT 2").query().replaceAll(" +", " "))
                .isEqualTo("(SELECT 1) LIMIT 2");
    }

    @ParameterizedTest
    @CsvSource({
        "SELECT SUBSTRING(a FROM 1 FOR 2) FROM t",
        "SELECT 'FOR UPDATE' FROM t",
        "UPDATE t SET a = 1",
        "SELECT a FROM (SELECT a FROM t FOR UPDATE)"
    })
    void anythingElseHasNone(String sql) {
        assertThat(of(sql)).isEqualTo(new LockingClause(sql, Optional.empty(), List.of(), false));
    }

    @Test
    void aTableMustFollowOf() {
        assertThatThrownBy(() -> of("SELECT a FROM t FOR UPDATE OF"))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("the name of a table");
    }

    private static final Catalog CATALOG =
            Catalog.empty().withTable(table(10, "A")).withTable(table(20, "B")).withTable(table(30, "SHOP.C"));

    private static Table table(int id, String name) {
        Column column = new Column("ID", ColumnType.of(TypeKind.BIGINT), false, null);
        return new Table(id, name, List.of(column), OptionalInt.of(0), List.of(), List.of());
    }

    private static List<Integer> tables(String sql) {
        List<Token> tokens = Tokenizer.tokens(sql);
        return LockingClause.of(sql, tokens).tables(tokens, CATALOG);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT 1 FROM a, b WHERE a.id = b.id FOR UPDATE OF b                                  | 20",
                "SELECT 1 FROM a, b FOR UPDATE OF b, a NOWAIT                                          | 20 10",
                "SELECT 1 FROM a JOIN b ON a.id = b.id FOR UPDATE OF a FOR SHARE OF b                  | 10",
                "SELECT 1 FROM a x LEFT OUTER JOIN b AS y ON (x.id = y.id) FOR UPDATE OF y             | 20",
                "SELECT 1 FROM (a x CROSS JOIN b) NATURAL JOIN shop.c z WHERE 1 = 2 FOR UPDATE OF z    | 30",
                "SELECT 1 FROM (a x CROSS JOIN b) NATURAL JOIN shop.c z WHERE 1 = 2 FOR UPDATE OF x    | 10",
                "SELECT 1 FROM shop.c, a FOR UPDATE OF c                                               | 30",
                "SELECT 1 FROM shop.c, a FOR UPDATE OF shop.c                                          | 30",
                "SELECT EXTRACT(DAY FROM d), f(1, 2) FROM a, (SELECT id FROM b) q FOR UPDATE OF a      | 10",
                "SELECT 1 FROM a WHERE id IS DISTINCT FROM id OR id IN (SELECT id FROM b) FOR UPDATE OF a | 10",
                "WITH w AS (SELECT 1 FROM b) SELECT 1 FROM w, a \"x\" FOR UPDATE OF \"x\"             | 10",
                "SELECT 1 FROM generate_series(1, 2) g, LATERAL (SELECT 1) l, a ORDER BY 1 FOR UPDATE OF a | 10",
                "SELECT 1 FROM a, (SELECT id FROM b) q FOR UPDATE OF a, q                              | ''",
                "SELECT 1 FROM a, b FOR UPDATE OF a FOR UPDATE                                         | 10 20",
                "SELECT 1 FROM a, b FOR UPDATE                                                         | 10 20",
                "SELECT 1 FROM a WHERE id IN (SELECT id FROM b) FOR UPDATE                             | 10",
                "SELECT 1 FROM a, view FOR UPDATE                                                      | ''",
                "SELECT 1 FROM a, b                                                                    | ''",
            })
    void theTablesBehindOfAreWanted(String sql, String expected) {
        assertThat(tables(sql).stream().map(String::valueOf).collect(Collectors.joining(" ")))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1 FROM a FOR UPDATE OF b",
                "SELECT 1 FROM a x FOR UPDATE OF a",
                "SELECT 1 FROM a WHERE id IN (SELECT id FROM b) FOR SHARE OF b",
                "SELECT 1 FROM a, (SELECT id FROM b) q FOR UPDATE OF b"
            })
    void ofNamesWhatFromHas(String sql) {
        assertThatThrownBy(() -> tables(sql))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_OBJECT))
                .hasMessageContaining("OF names what FROM has");
    }
}
