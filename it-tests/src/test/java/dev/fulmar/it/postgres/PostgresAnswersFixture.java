package dev.fulmar.it.postgres;

import dev.fulmar.it.sql.SmallNode;
import dev.fulmar.node.wiring.FulmarNode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** One node of two partitions for all statements of a class, whose answers are compared as texts. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PostgresAnswersFixture {
    private final FulmarNode node = SmallNode.start(2);

    @SuppressWarnings("NullAway.Init")
    Connection connection;

    @BeforeAll
    void connect() throws SQLException {
        int port = node.postgresAddress().orElseThrow().port();
        connection = DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/fulmar?user=ann");
    }

    @AfterAll
    void stop() throws SQLException {
        connection.close();
        node.close();
    }

    void run(String... statements) throws SQLException {
        for (String sql : statements) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }
    }

    /** The values of all rows with commas between, or the SQLSTATE of the error; "done" of what has no rows. */
    String answer(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return "done";
            }
            StringBuilder answer = new StringBuilder();
            ResultSet rows = statement.getResultSet();
            while (rows.next()) {
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    answer.append(answer.isEmpty() ? "" : ",").append(rows.getString(i));
                }
            }
            return answer.toString();
        } catch (SQLException e) {
            return e.getSQLState();
        }
    }
}
