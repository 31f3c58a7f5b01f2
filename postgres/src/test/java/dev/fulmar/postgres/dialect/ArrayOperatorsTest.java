package dev.fulmar.postgres.dialect;

import static dev.fulmar.postgres.dialect.FixedFacts.translated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.spi.StatementStyle;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arrays become lists, and statements have the time zone of their session. */
class ArrayOperatorsTest {
    private static String words(String sql) {
        return sql.replaceAll("\\s+", " ").replaceAll("\\s*([(),])\\s*", "$1").strip();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "SELECT a = ANY ($1)|SELECT a IN(?)",
                "SELECT a = any(($1::int[]))|SELECT a IN(CAST(? AS int))",
                "SELECT a <> ALL (CAST($1 AS character varying[]))|SELECT a NOT IN(CAST(? AS character varying))",
                "SELECT a = SOME ('{1,\"x''\\\"\",NULL}')|SELECT a IN('1','x''\"',NULL)",
                "SELECT a = ANY ('{1}'::int[])|SELECT a IN(CAST('1' AS int))",
                "SELECT a != ALL (ARRAY[1, f(2, 3)]::bigint[])|SELECT a NOT IN(CAST(1 AS bigint),CAST(f(2,3) AS bigint))",
                "SELECT a = ANY (ARRAY[b, $1])|SELECT a IN(b,?)",
                "SELECT a = ANY ((ARRAY[1, 2])::bigint[])|SELECT a IN(CAST(1 AS bigint),CAST(2 AS bigint))",
                "SELECT a = ANY (SELECT b FROM t)|SELECT a = ANY(SELECT b FROM t)",
                "SELECT a < ANY ($1)|SELECT a < ANY(?)",
                "SELECT a = ALL ($1)|SELECT a = ALL(?)"
            })
    void arraysAreLists(String source, String expected) {
        assertThat(words(translated(source).sql())).isEqualTo(words(expected));
    }

    @Test
    void elementsBecomeParametersOfTheirOwn() {
        Translation translation = translated("SELECT $2 FROM t WHERE a = ANY ($1) AND b = $3 AND c <> ALL ($4::int[])");

        Translation expanded = translation.expanded(List.of(3, 0), List.of("BIGINT", "INTEGER"));

        assertThat(words(expanded.sql()))
                .isEqualTo("SELECT ? FROM t WHERE a IN(?,?,?)AND b = ? AND c NOT IN("
                        + "SELECT CAST(NULL AS INTEGER)FROM(VALUES(0))AS \"#E\" WHERE 1 = 0)");
        assertThat(expanded.parameters()).containsExactly(1, 0, 0, 0, 2);
        assertThat(expanded.parameterCount()).isEqualTo(4);
        int place = expanded.sql().indexOf("b =");
        assertThat(expanded.message("1:" + (place + 1) + ": wrong").position())
                .isEqualTo(translation.source().indexOf("b =") + 1);
    }

    @Test
    void placesBehindSeveralArraysAreThoseOfTheSource() {
        Translation translation =
                translated("SELECT a = ANY ($1), b = ANY ($2), c = ANY ($1) FROM nowhere WHERE d = $3");

        Translation expanded = translation.expanded(List.of(4, 2, 1), List.of("INTEGER", "INTEGER", "INTEGER"));

        assertThat(expanded.parameters()).containsExactly(0, 0, 0, 0, 1, 1, 0, 2);
        for (String word : List.of("a IN", "b IN", "c IN", "nowhere", "d =")) {
            int place = expanded.sql().indexOf(word);
            assertThat(expanded.message("1:" + (place + 1) + ": wrong").position())
                    .isEqualTo(
                            translation.source().indexOf(word.substring(0, 1) + (word.endsWith("IN") ? " =" : "")) + 1);
        }
    }

    @Test
    void arraysDoNotMultiplyAStatementWithoutEnd() {
        String conditions = " AND a = ANY ($1)".repeat(151);
        Translation translation = translated("SELECT 1 FROM t WHERE TRUE" + conditions);

        assertThatThrownBy(() ->
                        translation.expanded(Collections.nCopies(151, 1_000), Collections.nCopies(151, "INTEGER")))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX));
    }

    @Test
    void theNameOfATypeIsNotRepeatedWithoutEnd() {
        String longType = "\"" + "t".repeat(300) + "\"";
        assertThat(translated("SELECT a = ANY (CAST('{1,2}' AS " + longType + "[]))")
                        .sql())
                .contains("ANY");
        String many = "{1" + ",1".repeat(200_000) + "}";
        String type = "\"" + "t".repeat(190) + "\"";
        assertThatThrownBy(() -> translated("SELECT a = ANY (CAST('" + many + "' AS " + type + "[]))"))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX));
    }

    @Test
    void statementsHaveTheZoneOfTheSession() {
        ZoneId oslo = ZoneId.of("Europe/Oslo");
        assertThat(translated("SELECT 1")
                        .inSession(StatementStyle.ofZone(oslo), "")
                        .sql())
                .isEqualTo("SELECT 1 /* TIME ZONE Europe/Oslo */");
        assertThat(translated("CREATE TABLE t AS SELECT 1")
                        .inSession(StatementStyle.ofZone(oslo), "")
                        .sql())
                .endsWith("Oslo */");
        assertThat(translated("SELECT 1").inSession(StatementStyle.USUAL, "").sql())
                .isEqualTo("SELECT 1");
        assertThat(translated("CREATE VIEW v AS SELECT 1")
                        .inSession(StatementStyle.ofZone(oslo), "")
                        .sql())
                .doesNotContain("Oslo");
        assertThat(translated("COMMIT")
                        .inSession(StatementStyle.ofZone(oslo), "")
                        .sql())
                .isEqualTo("COMMIT");
    }
}
