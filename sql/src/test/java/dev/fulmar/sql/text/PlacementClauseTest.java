package dev.fulmar.sql.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementClauseTest {
    private static String added(String sql) {
        return PlaceClause.added(sql, Tokenizer.tokens(sql), "REPLICATED").replace('\n', ' ');
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE TABLE t (a INTEGER) | CREATE TABLE t (a INTEGER) REPLICATED",
                "create table if not exists s.t (a INT DEFAULT (1)) | create table if not exists s.t (a INT DEFAULT (1)) REPLICATED",
                "CREATE TABLE partitioned (\"PARTITIONED\" INT) | CREATE TABLE partitioned (\"PARTITIONED\" INT) REPLICATED",
                "CREATE TABLE t AS SELECT 1 AS a | CREATE TABLE t REPLICATED AS SELECT 1 AS a",
                "CREATE TABLE t (a, b) AS VALUES (1, 2) | CREATE TABLE t (a, b) REPLICATED AS VALUES (1, 2)",
                "EXPLAIN CREATE TABLE t (a INT) | EXPLAIN CREATE TABLE t (a INT) REPLICATED",
                "EXPLAIN PLAN FOR CREATE TABLE t (a INT) | EXPLAIN PLAN FOR CREATE TABLE t (a INT) REPLICATED"
            })
    void itIsAddedWhereNothingIsSaid(String sql, String completed) {
        assertThat(added(sql)).isEqualTo(completed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE t (a INTEGER) PARTITIONED",
                "CREATE TABLE t (a INTEGER) PARTITION ON COLUMN a",
                "CREATE TABLE t (a INTEGER) USING TTL 1 HOURS ON COLUMN a PARTITION ON ROW",
                "CREATE TABLE t (a) REPLICATED AS SELECT 1",
                "CREATE INDEX i ON t (a)",
                "ALTER TABLE t ADD PRIMARY KEY (a)",
                "EXPLAIN SELECT 1",
                "CREATE",
                ""
            })
    void otherTextsStay(String sql) {
        assertThat(added(sql)).isEqualTo(sql);
    }
}
