package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * Statements with the answers of PostgreSQL 15, a line of a file for each. Those that are refused with 0A000, 2201B or
 * 54001 at the end of a file are Fulmar's own.
 */
class PostgresAnswersTest extends PostgresAnswersFixture {
    @BeforeAll
    void create() throws SQLException {
        run(
                "SET timezone = 'UTC'",
                "CREATE TABLE a (id int PRIMARY KEY, name text, big bigint, d numeric(10,2), r float8, b boolean, dt date,"
                        + " ts timestamp, tz timestamptz, tags text[], nums int[], j jsonb, js json)",
                "INSERT INTO a VALUES (1, 'ann \"q\" \\ ü 😀', 9007199254740993, 1.50, 0.1, true, '2024-02-29',"
                        + " '2024-02-29 10:11:12.5', '2024-02-29 10:11:12+00', '{a,\"b c\",NULL}', '{1,2,NULL}',"
                        + " '{\"x\": [1, 2]}', '{\"y\":1}'),"
                        + " (2, null, null, null, null, null, null, null, null, null, null, null, null),"
                        + " (3, '', 0, 0, 0, false, '0001-01-01', '2024-01-01 00:00:00', '2024-01-01 00:00:00+00', '{}',"
                        + " '{}', 'null', '[]')",
                "CREATE TABLE c (id int PRIMARY KEY, a_id int, \"Label\" varchar(10), u uuid)",
                "INSERT INTO c VALUES (10, 1, 'x', '00000000-0000-0000-0000-000000000001'), (11, 1, null, null),"
                        + " (12, 9, 'z', null)",
                "CREATE TABLE nokey (v int)",
                "INSERT INTO nokey VALUES (1)");
    }

    private void check(String sql, String expected) throws SQLException {
        assertThat(answer(sql).replace("\n", "\\n")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/dev/fulmar/it/postgres/documents-of-rows.csv", delimiter = '\t', quoteCharacter = '`')
    void rowsAreDocuments(String sql, String expected) throws SQLException {
        check(sql, expected);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/dev/fulmar/it/postgres/regular-expressions.csv",
            delimiter = '\t',
            quoteCharacter = '`')
    void expressionsHaveOptions(String sql, String expected) throws SQLException {
        check(sql, expected);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/dev/fulmar/it/postgres/documents.csv", delimiter = '\t', quoteCharacter = '`')
    void documentsHaveRecordsAndPaths(String sql, String expected) throws SQLException {
        check(sql, expected);
    }
}
