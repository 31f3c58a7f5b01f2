package dev.fulmar.it.postgres;

import dev.fulmar.it.sql.SmallNode;
import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Fixture of tests of a node with PostgreSQL's JDBC driver, and of one connection to it. */
abstract class PostgresNodeFixture {
    private static final int PARTITIONS = 2;

    private final boolean isDurable;

    @TempDir
    private Path folder;

    FulmarNode node;
    Connection connection;

    PostgresNodeFixture(boolean isDurable) {
        this.isDurable = isDurable;
    }

    @BeforeEach
    final void start() throws SQLException {
        node = isDurable ? SmallNode.durable(folder.resolve("data"), PARTITIONS) : SmallNode.start(PARTITIONS);
        connection = connect("");
    }

    @AfterEach
    final void stop() throws SQLException {
        connection.close();
        node.close();
    }

    /** A connection with further parameters of the driver, as {@code &name=value}. */
    final Connection connect(String parameters) throws SQLException {
        int port = node.postgresAddress().orElseThrow().port();
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/fulmar?user=ann" + parameters);
    }

    final int update(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    /** The rows of a query, each as its values with commas. */
    final List<String> rows(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows(rows);
        }
    }

    static void run(Connection by, String... statements) throws SQLException {
        try (Statement statement = by.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    /** The SQLSTATE with which a statement ends. */
    static String state(Connection by, String sql) {
        try {
            run(by, sql);
            return "00000";
        } catch (SQLException e) {
            return e.getSQLState();
        }
    }

    static List<String> rows(ResultSet rows) throws SQLException {
        List<String> texts = new ArrayList<>();
        while (rows.next()) {
            List<String> values = new ArrayList<>();
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                values.add(String.valueOf(rows.getString(i)));
            }
            texts.add(String.join(",", values));
        }
        return texts;
    }
}
