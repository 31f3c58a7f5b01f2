package dev.fulmar.postgres.dialect;

import static dev.fulmar.postgres.dialect.FixedFacts.translated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.spi.StatementStyle;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionWordsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "DECLARE c CURSOR FOR SELECT now()|DECLARE c CURSOR FOR SELECT CAST(CURRENT_TIMESTAMP AS TIMESTAMP WITH TIME ZONE)",
                "CREATE TABLE t AS SELECT current_user|CREATE TABLE t AS SELECT 'ann'",
                "CREATE UNLOGGED TABLE t (a) AS SELECT current_user|CREATE TABLE t (a) AS SELECT 'ann'",
                "CREATE TABLE t (a text DEFAULT current_user)|CREATE TABLE t (a text DEFAULT current_user)",
                "CREATE VIEW v AS SELECT current_user|CREATE VIEW v AS SELECT current_user",
                "SELECT CURRENT_TIMESTAMP(6)|SELECT CAST(CURRENT_TIMESTAMP AS TIMESTAMP WITH TIME ZONE)",
                "SELECT localtime (6)|SELECT CAST(CAST(CURRENT_TIMESTAMP AS TIMESTAMP WITH TIME ZONE) AS TIME)"
            })
    void valuesOfTheSessionStandWhereNoneIsKept(String source, String expected) {
        assertThat(translated(source).sql().strip()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "SELECT localtime(0)|SELECT \"#ROUNDED\"(CAST(CAST(CURRENT_TIMESTAMP AS TIMESTAMP WITH TIME ZONE) AS TIME), 0)",
                "SELECT a::timestamp(3)|SELECT \"#ROUNDED\"( CAST ( a AS timestamp ) , 3)",
                "SELECT CAST('12:00' AS time(0))|SELECT \"#ROUNDED\"( TIME '12:00:00.000000' , 0)",
                "SELECT timestamp(2) without time zone 'now'|SELECT \"#ROUNDED\"( CAST('now' AS TIMESTAMP) , 2)",
                "CREATE TABLE t (a timestamp(2) without time zone)|CREATE TABLE t (a timestamp(2) ROUNDED )"
            })
    void timesAreRoundedToTheirDigits(String sql, String expected) {
        assertThat(FixedFacts.words(sql)).isEqualTo(expected);
    }

    @Test
    void moreDigitsAreRefused() {
        assertThatThrownBy(() -> translated("SELECT current_timestamp(7)"))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED))
                .hasMessageContaining("six digits");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE UNLOGGED TABLE t AS SELECT current_date",
                "CREATE TABLE t AS SELECT current_date",
                "DECLARE c CURSOR FOR SELECT current_date"
            })
    void statementsOfAMomentHaveTheZone(String sql) {
        assertThat(translated(sql)
                        .inSession(StatementStyle.ofZone(ZoneId.of("Europe/Oslo")), "")
                        .sql())
                .contains("TIME ZONE Europe/Oslo");
    }
}
