package dev.fulmar.it.postgres;

import static dev.fulmar.it.postgres.TemporaryTableRightsTest.PASSWORD;
import static dev.fulmar.it.postgres.TemporaryTableRightsTest.assertStates;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.it.sql.SmallNode;
import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sessions of a node as pg_stat_activity shows them. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SessionActivityTest {
    private static final String ACTIVITY =
            "SELECT state, query, xact_start IS NULL, query_start >= backend_start FROM pg_stat_activity"
                    + " WHERE application_name = 'other'";

    private static Connection connect(FulmarNode node, String parameters) throws SQLException {
        int port = node.postgresAddress().orElseThrow().port();
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/fulmar?" + parameters);
    }

    private static List<String> rows(Connection by, String sql) throws SQLException {
        try (Statement statement = by.createStatement()) {
            return PostgresNodeFixture.rows(statement.executeQuery(sql));
        }
    }

    @Test
    void aSessionIsShownWithItsStatement() throws SQLException {
        try (FulmarNode node = SmallNode.start(2);
                Connection one = connect(node, "user=ann")) {
            try (Connection other = connect(node, "user=ann&ApplicationName=other");
                    Statement statement = other.createStatement()) {
                assertThat(rows(one, ACTIVITY)).singleElement().asString().startsWith("idle,");
                statement.execute("SELECT 'it''s' -- shown");
                assertThat(rows(one, ACTIVITY)).containsExactly("idle,SELECT 'it''s' -- shown,t,t");
                other.setAutoCommit(false);
                statement.execute("SELECT 1");
                assertThat(rows(one, ACTIVITY)).containsExactly("idle in transaction,SELECT 1,f,t");
                assertStates(other, "42P01", "SELECT * FROM nothing");
                assertThat(rows(one, ACTIVITY))
                        .containsExactly("idle in transaction (aborted),SELECT * FROM nothing,f,t");
                other.rollback();
                assertThat(rows(one, ACTIVITY))
                        .singleElement()
                        .asString()
                        .startsWith("idle,")
                        .endsWith(",t,t");
                assertThat(rows(
                                one,
                                "SELECT state, usename, datname, client_addr, client_port > 0, wait_event, backend_type"
                                        + " FROM pg_stat_activity WHERE pid = pg_backend_pid()"))
                        .containsExactly("active,ann,fulmar,127.0.0.1,t,null,client backend");
                assertThat(rows(
                                one,
                                "SELECT count(*), count(DISTINCT pid), max(d.datname) FROM pg_stat_activity a"
                                        + " JOIN pg_database d ON d.oid = a.datid"))
                        .containsExactly("2,2,fulmar");
            }
            while (!rows(one, ACTIVITY).isEmpty()) {
                Thread.onSpinWait(); // until the node knows that its client has left
            }
        }
    }

    /** From the second execution on the driver binds a statement that is prepared by a name. */
    @Test
    void aPreparedStatementShowsWhatIsSoNow() throws SQLException {
        try (FulmarNode node = SmallNode.start(2);
                Connection one = connect(node, "user=ann&prepareThreshold=1");
                PreparedStatement count = one.prepareStatement("SELECT count(*) FROM pg_stat_activity")) {
            for (int sessions = 1; sessions <= 3; sessions++) {
                assertThat(PostgresNodeFixture.rows(count.executeQuery())).containsExactly("1");
            }
            try (Connection other = connect(node, "user=ann")) {
                assertThat(other.isValid(10)).isTrue();
                assertThat(PostgresNodeFixture.rows(count.executeQuery())).containsExactly("2");
            }
        }
    }

    @Test
    void onlySuperusersSeeStatementsOfOthers(@TempDir Path folder) throws Exception {
        try (FulmarNode node = TemporaryTableRightsTest.start(folder);
                Connection root = TemporaryTableRightsTest.connect(node, "root")) {
            assertStates(
                    root,
                    "00000",
                    "CREATE USER ann PASSWORD '" + PASSWORD + "'",
                    "GRANT DDL TO ann",
                    "SELECT 'secret'");
            try (Connection ann = TemporaryTableRightsTest.connect(node, "ann")) {
                assertThat(rows(
                                ann,
                                "SELECT usename, state, query, backend_start IS NULL, client_addr IS NULL"
                                        + " FROM pg_stat_activity ORDER BY usename"))
                        .hasSize(2)
                        .element(1)
                        .isEqualTo("root,null,<insufficient privilege>,t,t");
                assertThat(rows(root, "SELECT query FROM pg_catalog.pg_stat_activity WHERE usename = 'ann'"))
                        .singleElement()
                        .asString()
                        .contains("pg_stat_activity ORDER BY usename");
            }
        }
    }
}
