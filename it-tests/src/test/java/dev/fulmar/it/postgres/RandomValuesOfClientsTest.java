package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** Random values with PostgreSQL's JDBC driver, on a node that starts again. */
class RandomValuesOfClientsTest extends PostgresNodeFixture {
    RandomValuesOfClientsTest() {
        super(true);
    }

    @Test
    void keysComeFromTheDefault() throws SQLException, IOException {
        update("CREATE TABLE account (id uuid DEFAULT gen_random_uuid() PRIMARY KEY, name text NOT NULL,"
                + " score double precision DEFAULT random() * 100)");
        Set<UUID> ids = new HashSet<>();
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO account (name) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
            for (int i = 0; i < 20; i++) { // the driver prepares by name at the fifth
                insert.setString(1, "n" + i);
                insert.executeUpdate();
                try (ResultSet keys = insert.getGeneratedKeys()) {
                    keys.next();
                    ids.add(keys.getObject("id", UUID.class));
                }
            }
            for (int i = 0; i < 30; i++) {
                insert.setString(1, "b" + i);
                insert.addBatch();
            }
            insert.executeBatch();
        }
        assertThat(ids).hasSize(20);
        connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn(
                        "COPY account (name) FROM STDIN",
                        new ByteArrayInputStream("c1\nc2\nc3\n".getBytes(StandardCharsets.UTF_8)));
        assertThat(rows("SELECT COUNT(*), COUNT(DISTINCT id), COUNT(DISTINCT score) FROM account"))
                .containsExactly("53,53,53");
        assertThat(rows("SELECT column_default FROM information_schema.columns WHERE table_name = 'account'"
                        + " AND column_name = 'id'"))
                .containsExactly("gen_random_uuid()");
        stop();
        start();
        update("INSERT INTO account (name) VALUES ('after')");
        assertThat(rows("SELECT COUNT(DISTINCT id) FROM account")).containsExactly("54");
        assertThat(rows("SELECT name FROM account WHERE id = '" + ids.iterator().next() + "'"))
                .hasSize(1);
    }

    @Test
    void aTransactionCommitsWhatItShowed() throws SQLException {
        update("CREATE TABLE draw (n integer PRIMARY KEY, id uuid, chance double precision)");
        update("INSERT INTO draw (n) SELECT v FROM (VALUES (1), (2), (3), (4), (5), (6)) AS s (v)");
        connection.setAutoCommit(false);
        List<String> order = rows("SELECT n FROM draw ORDER BY random()");
        assertThat(order).containsExactlyInAnyOrder("1", "2", "3", "4", "5", "6");
        update("UPDATE draw SET id = pg_catalog.gen_random_uuid(), chance = random()");
        List<String> shown = rows("SELECT n, id, chance FROM draw ORDER BY n");
        connection.commit();
        connection.setAutoCommit(true);
        assertThat(rows("SELECT n, id, chance FROM draw ORDER BY n")).isEqualTo(shown);
        assertThat(rows("SELECT COUNT(DISTINCT id) FROM draw WHERE chance >= 0 AND chance < 1"))
                .containsExactly("6");
    }

    /** A cursor reads its rows in parts. */
    @Test
    void aCursorDrawsOnce() throws SQLException {
        update("CREATE TABLE many (n integer PRIMARY KEY)");
        StringBuilder values = new StringBuilder("(0)");
        for (int n = 1; n < 500; n++) {
            values.append(", (").append(n).append(')');
        }
        update("INSERT INTO many VALUES " + values);
        connection.setAutoCommit(false);
        Set<UUID> ids = new HashSet<>();
        try (PreparedStatement query = connection.prepareStatement("SELECT gen_random_uuid() FROM many")) {
            query.setFetchSize(50);
            try (ResultSet result = query.executeQuery()) {
                while (result.next()) {
                    ids.add(result.getObject(1, UUID.class));
                }
            }
        }
        assertThat(ids).hasSize(500);
        connection.commit();
        connection.setAutoCommit(true);
    }
}
