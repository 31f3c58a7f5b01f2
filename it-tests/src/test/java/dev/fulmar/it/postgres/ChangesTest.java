package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.StringReader;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** Changes in PostgreSQL's own forms: ON CONFLICT, UPDATE ... FROM, DELETE ... USING. */
@Timeout(60)
class ChangesTest extends PostgresNodeFixture {
    ChangesTest() {
        super(false);
    }

    @BeforeEach
    void create() throws SQLException {
        update(
                "CREATE TABLE visit (page text PRIMARY KEY, n int NOT NULL DEFAULT 1, last timestamptz, tag varchar(4))");
        update("CREATE TABLE page (page text, weight int)");
        update("INSERT INTO page VALUES ('a', 10), ('b', 20), ('b', 21)");
    }

    @Test
    void insertsOrUpdates() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "INSERT INTO visit AS v (page, last, tag) VALUES (?, '2024-01-01 00:00+00', ?) ON CONFLICT (\"page\") DO UPDATE"
                        + " SET n = v.n + EXCLUDED.n, tag = excluded.tag, last = greatest(v.last, excluded.last)"
                        + " WHERE v.n < ? RETURNING page, v.n")) {
            for (int i = 1; i <= 4; i++) {
                statement.setString(1, "a");
                statement.setString(2, "t" + i);
                statement.setInt(3, 3);
                try (ResultSet rows = statement.executeQuery()) {
                    assertThat(rows(rows)).isEqualTo(i < 4 ? List.of("a," + i) : List.of());
                }
            }
            statement.setString(2, "too long");
            statement.setInt(3, 10);
            SQLException failure = catchThrowableOfType(SQLException.class, statement::executeQuery);
            assertThat(failure.getSQLState()).isEqualTo("22001");
        }
        assertThat(rows("SELECT page, n, tag FROM visit")).containsExactly("a,3,t3");
        assertThat(update("INSERT INTO visit (page) VALUES ('a'), ('c') ON CONFLICT DO NOTHING"))
                .isEqualTo(1);
        assertThat(catchThrowableOfType(
                                SQLException.class,
                                () -> update("INSERT INTO visit (page) VALUES ('a') ON CONFLICT (tag) DO NOTHING"))
                        .getSQLState())
                .isEqualTo("42P10");
        assertThat(catchThrowableOfType(
                                SQLException.class,
                                () -> update(
                                        "INSERT INTO visit (page) VALUES ('d'), ('d') ON CONFLICT (page) DO UPDATE SET n = 5"))
                        .getSQLState())
                .isEqualTo("21000");
    }

    @Test
    void serialColumnsDrawForTheRowsOfQueries() throws SQLException {
        update("CREATE TABLE ranked (id serial PRIMARY KEY, other bigserial, page text)");
        try (PreparedStatement statement = connection.prepareStatement(
                "INSERT INTO ranked (page) SELECT page FROM page WHERE weight > ? ORDER BY weight DESC",
                Statement.RETURN_GENERATED_KEYS)) {
            statement.setInt(1, 15);
            assertThat(statement.executeUpdate()).isEqualTo(2);
            assertThat(rows(statement.getGeneratedKeys())).containsExactly("1,1,b", "2,2,b");
        }
        connection.setAutoCommit(false);
        assertThat(update("INSERT INTO ranked (page) SELECT page FROM ranked")).isEqualTo(2);
        assertThat(rows("INSERT INTO ranked (page) VALUES ((SELECT min(page) FROM page)) RETURNING id, other, page"))
                .containsExactly("5,5,a");
        connection.commit();
        connection.setAutoCommit(true);
        assertThat(rows("SELECT nextval('ranked_id_seq'), currval(pg_get_serial_sequence('ranked', 'id'))"))
                .containsExactly("6,6");
        assertThat(rows("SELECT id, page FROM ranked ORDER BY id")).containsExactly("1,b", "2,b", "3,b", "4,b", "5,a");
    }

    @Test
    void rowsOfReturningComeInTheOrderOfValues() throws SQLException {
        update("CREATE TABLE line (name text, id serial PRIMARY KEY, tag text UNIQUE)");
        assertThat(rows("INSERT INTO visit (page) VALUES ('z'), ('k'), ('y'), ('b'), ('x'), ('c') RETURNING page"))
                .containsExactly("z", "k", "y", "b", "x", "c");
        assertThat(rows("INSERT INTO line (name, tag) VALUES ('z', 'p'), ('k', 'o'), ('y', 'n') RETURNING name, id"))
                .containsExactly("z,1", "k,2", "y,3");
        assertThat(rows("INSERT INTO visit (page) VALUES ('zz'), ('k'), ('yy'), ('b') ON CONFLICT (page) DO UPDATE"
                        + " SET n = visit.n + 1 RETURNING page, visit.n"))
                .containsExactly("zz,1", "k,2", "yy,1", "b,2");
        connection.setAutoCommit(false);
        assertThat(rows("INSERT INTO line (name, id, tag) VALUES ('q', 90, 'm'), ('r', 30, 'l'), ('s', 60, 'k')"
                        + " RETURNING id"))
                .containsExactly("90", "30", "60");
        connection.commit();
    }

    @Test
    void batchesAreAllOrNothing() throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement statement = connection.prepareStatement(
                "INSERT INTO visit (page, n) VALUES (?, ?) ON CONFLICT (page) DO UPDATE SET n = visit.n + excluded.n")) {
            for (int i = 0; i < 50; i++) {
                statement.setString(1, "p" + i % 5);
                statement.setInt(2, i);
                statement.addBatch();
            }
            assertThat(statement.executeBatch()).hasSize(50).containsOnly(1);
        }
        connection.rollback();
        assertThat(rows("SELECT COUNT(*) FROM visit")).containsExactly("0");
        connection.rollback();
    }

    @Test
    void rowsOfOthersChangeThem() throws SQLException {
        update("INSERT INTO visit (page, n) VALUES ('a', 1), ('b', 2), ('c', 3)");
        assertThat(
                        update(
                                "UPDATE visit v SET n = v.n + p.weight, tag = 'up' FROM page p WHERE p.page = v.page AND weight < 15"))
                .isEqualTo(1);
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "DELETE FROM visit USING page AS p WHERE p.page = visit.page AND p.weight > 15 RETURNING visit.page, n")) {
            assertThat(rows(rows)).containsExactly("b,2");
        }
        assertThat(rows("SELECT page, n, tag FROM visit ORDER BY page")).containsExactly("a,11,up", "c,3,null");
    }

    /** The statements of a COPY use the numbers that were drawn for them. */
    @Test
    void copiesLeaveNoGapInADenseSequence() throws SQLException, IOException {
        update("CREATE TABLE numbered (n int GENERATED BY DEFAULT AS IDENTITY (CACHE 1) PRIMARY KEY, note text)");
        CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
        for (int i = 1; i <= 2; i++) {
            assertThat(copy.copyIn("COPY numbered (note) FROM STDIN", new StringReader("a\n".repeat(3_000))))
                    .isEqualTo(3_000);
            assertThat(rows("SELECT MIN(n), MAX(n), COUNT(*) FROM numbered"))
                    .containsExactly("1," + 3_000 * i + "," + 3_000 * i);
        }
    }
}
