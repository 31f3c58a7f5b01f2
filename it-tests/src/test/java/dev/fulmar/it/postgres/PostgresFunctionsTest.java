package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions that the engine has under the same names with other meanings, with the answers of PostgreSQL 15. */
class PostgresFunctionsTest extends PostgresAnswersFixture {
    @BeforeAll
    void create() throws SQLException {
        run(
                "CREATE TABLE piece (id INT PRIMARY KEY, v text, n int, r float8, j jsonb)",
                "INSERT INTO piece VALUES (1, 'abc', -1, 2.5, '{\"a\": 1}'), (2, 'abc', 2, -0.5, '[1]'),"
                        + " (3, 'äöü', -2, 1.5, NULL), (4, 'ab', -9, 0.5, NULL), (5, NULL, -1, NULL,"
                        + " NULL), (6, 'x', NULL, 7, NULL)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT n FROM piece ORDER BY n OFFSET 1 FETCH FIRST 0 ROWS WITH TIES~``",
                "SELECT n FROM piece ORDER BY n OFFSET 1 FETCH FIRST 1 ROWS WITH TIES~-2",
                "SELECT n FROM piece ORDER BY n OFFSET 2 FETCH NEXT ROW WITH TIES~-1,-1",
                "SELECT n FROM piece ORDER BY n OFFSET 2 FETCH FIRST (1) ROWS WITH TIES~-1,-1",
                "SELECT n FROM piece ORDER BY n FETCH FIRST ROW ONLY~-9",
                "SELECT n FROM piece ORDER BY n FETCH FIRST (2) ROWS ONLY~-9,-2",
                "SELECT n FROM piece ORDER BY n LIMIT NULL OFFSET NULL~-9,-2,-1,-1,2,null",
                "SELECT n FROM piece ORDER BY n LIMIT ALL OFFSET 4~2,null"
            })
    void rowsAreFetchedAsInPostgres(String sql, String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected);
    }

    @Test
    void countsOfRowsMayBeParameters() throws SQLException {
        String sql = "SELECT n FROM piece ORDER BY n OFFSET ? FETCH FIRST ? ROWS WITH TIES";
        try (PreparedStatement fetch = connection.prepareStatement(sql)) {
            fetch.setInt(1, 2);
            fetch.setInt(2, 0);
            assertThat(fetch.executeQuery().next()).isFalse();
            fetch.setInt(2, 1);
            assertThat(fetch.executeQuery().next()).isTrue();
        }
    }
}
