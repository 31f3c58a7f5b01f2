package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tables that are made like others, or of statements that are prepared, with PostgreSQL's JDBC driver. */
@Timeout(60)
class LikeTablesOfClientsTest extends PostgresNodeFixture {
    LikeTablesOfClientsTest() {
        super(false);
    }

    @BeforeEach
    void create() throws SQLException {
        run(connection, "CREATE TABLE source (id int PRIMARY KEY, name text NOT NULL)");
    }

    @Test
    void aTableIsMadeLikeAnotherInATransaction() throws SQLException {
        run(connection, "CREATE TEMP TABLE brief (a text)", "BEGIN", "CREATE TABLE made (LIKE source)");
        run(connection, "INSERT INTO made VALUES (1, 'x')", "CREATE TABLE plain (LIKE brief)", "COMMIT");
        assertThat(rows("SELECT * FROM made")).containsExactly("1,x");
        assertThat(rows("SELECT * FROM plain")).isEmpty();
        assertThat(state(connection, "INSERT INTO made VALUES (2, NULL)")).isEqualTo("23502");
        run(connection, "BEGIN", "CREATE TABLE forgotten (LIKE source)", "ROLLBACK");
        assertThat(state(connection, "SELECT * FROM forgotten")).isEqualTo("42P01");
        assertThat(state(connection, "CREATE TABLE made (LIKE source)")).isEqualTo("42P07");
        run(connection, "CREATE TABLE IF NOT EXISTS made (LIKE source)");
    }

    @Test
    void aTableIsMadeOfAPreparedStatement() throws SQLException {
        run(connection, "INSERT INTO source VALUES (1, 'a'), (2, 'b')");
        run(connection, "PREPARE chosen(int) AS SELECT name FROM source WHERE id >= $1");
        run(connection, "CREATE TABLE found AS EXECUTE chosen(2)");
        run(connection, "CREATE TEMP TABLE none AS EXECUTE chosen(1) WITH NO DATA");
        assertThat(rows("SELECT * FROM found")).containsExactly("b");
        assertThat(rows("SELECT * FROM none")).isEmpty();
        assertThat(state(connection, "CREATE TABLE no AS EXECUTE unknown(1)")).isEqualTo("26000");
    }

    private String type(String value) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT " + value + " FROM source")) {
            return rows.getMetaData().getColumnTypeName(1);
        }
    }

    @Test
    void literalsAreTextsOfAnyLength() throws SQLException {
        run(connection, "CREATE TABLE short (v varchar(3))");
        assertThat(type("'a'")).isEqualTo("text");
        assertThat(type("CASE WHEN id = 1 THEN 'a' ELSE 'bcd' END")).isEqualTo("text");
        assertThat(type("'a'::varchar(3)")).isEqualTo("varchar");
        assertThat(type("(SELECT v FROM short)")).isEqualTo("varchar");
    }
}
