package dev.fulmar.postgres.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Words of the engine's grammar get quotes where they are names, and stay words elsewhere. */
class WordsAsNamesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "SELECT time FROM t|SELECT \"TIME\" FROM t",
                "SELECT t.time, Time FROM t|SELECT t. \"TIME\" , \"TIME\" FROM t",
                "SELECT a AS time FROM t ORDER BY time DESC|SELECT a AS \"TIME\" FROM t ORDER BY \"TIME\" DESC",
                "SELECT max(time) FROM t WHERE time > 'x' AND time BETWEEN 'x' AND 'y'"
                        + "|SELECT max( \"TIME\" ) FROM t WHERE \"TIME\" > 'x' AND \"TIME\" BETWEEN 'x' AND 'y'",
                "SELECT CAST(time AS date) FROM t|SELECT CAST( \"TIME\" AS date) FROM t",
                "SELECT max(a) OVER (ORDER BY time ROWS 2 PRECEDING) FROM t"
                        + "|SELECT max(a) OVER (ORDER BY \"TIME\" ROWS 2 PRECEDING) FROM t",
                "INSERT INTO t (host, time, range) VALUES (1, 2, 3)"
                        + "|INSERT INTO t (host, \"TIME\" , \"RANGE\" ) VALUES (1, 2, 3)",
                "UPDATE t SET time = 1, next = 2|UPDATE t SET \"TIME\" = 1, \"NEXT\" = 2",
                "SELECT update, a.delete, set + 1 FROM t|SELECT \"UPDATE\" , a. \"DELETE\" , \"SET\" + 1 FROM t",
                "SELECT time.a FROM t AS time|SELECT \"TIME\" .a FROM t AS \"TIME\"",
                "CREATE VIEW v AS SELECT time FROM t|CREATE VIEW v AS SELECT \"TIME\" FROM t",
                "SELECT time::date FROM t|SELECT CAST ( \"TIME\" AS date ) FROM t",
                "SELECT time AT TIME ZONE 'UTC' FROM t|SELECT \"TIME\" AT TIME ZONE 'UTC' FROM t"
            })
    void namesGetQuotes(String source, String expected) {
        assertThat(FixedFacts.words(source)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT CAST(a AS time) FROM t",
                "SELECT CAST(a AS timestamp), CAST(b AS numeric(5, 2)) FROM t",
                "SELECT TIMESTAMP '2024-02-29 00:00:00.000000'",
                "SELECT a FROM t WHERE a IN (VALUES (1), (2)) FOR UPDATE",
                "SELECT a FROM (VALUES (1)) AS v (a) UNION ALL VALUES (2)",
                "SELECT max(a) OVER (PARTITION BY b ORDER BY c ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING) FROM t",
                "SELECT max(a) OVER (ORDER BY c RANGE UNBOUNDED PRECEDING) FROM t",
                "SELECT max(a) OVER (ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t",
                "CREATE TABLE t (a INTEGER) PARTITION ON ROW",
                "GRANT SELECT, INSERT, UPDATE, DELETE ON t TO app",
                "REVOKE SELECT, INSERT, DELETE ON TABLE t FROM app",
                "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u)",
                "INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET b = 1",
                "CREATE TABLE t (a time, b integer, c timestamp NOT NULL, d timestamp with time zone)",
                "CREATE TABLE t (a INTEGER REFERENCES u (b) ON DELETE CASCADE ON UPDATE CASCADE)",
                "WITH d AS (DELETE FROM t RETURNING a) SELECT a FROM d",
                "CREATE PROCEDURE p AS DELETE FROM t",
                "CREATE PROCEDURE p AS BEGIN UPDATE t SET a = 1; DELETE FROM t; END",
                "DECLARE c CURSOR FOR SELECT a FROM t",
                "FETCH NEXT FROM c",
                "WITH a AS (VALUES (1)) SELECT 1 FROM a",
                "SELECT GROUPING(a), count(1) FROM t GROUP BY ROLLUP (a)",
                "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE",
                "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN UPDATE SET a = 1 WHEN NOT MATCHED THEN INSERT VALUES (1)"
            })
    void wordsStay(String source) {
        assertThat(FixedFacts.words(source)).isEqualToIgnoringCase(source);
    }
}
