package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.it.sql.SmallNode;
import dev.fulmar.node.wiring.FulmarNode;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Questions of Grafana's data source for PostgreSQL, about the catalog and about rows with times. The rows are those
 * that PostgreSQL 15 yields of the same tables.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class GrafanaStatementsTest {
    private static final String SCHEMA = """
            SET TimeZone = 'UTC';
            CREATE TABLE metrics (host varchar(20), time timestamptz, cpu double precision NOT NULL, requests bigint, PRIMARY KEY (host, time));
            CREATE TABLE readings (sensor integer, epoch bigint, nanos bigint NOT NULL, level numeric(10, 2), place varchar(20), PRIMARY KEY (sensor, epoch));
            CREATE TABLE events (id bigint PRIMARY KEY, begun timestamp NOT NULL, ended timestamp, title varchar(40), tags text);
            CREATE SCHEMA sales;
            CREATE TABLE sales.item (id integer PRIMARY KEY, name varchar(20), price numeric(10, 2), "Kind" text);
            CREATE TABLE "Late Orders" (id integer PRIMARY KEY);
            CREATE VIEW hosts AS SELECT DISTINCT host FROM metrics;
            INSERT INTO metrics VALUES ('a', '2026-11-29 10:00:00+00', 0.25, 100), ('a', '2026-11-29 10:05:00+00', 0.5, 160),
              ('a', '2026-11-29 10:10:00+00', 0.75, 190), ('a', '2026-11-29 10:15:00+00', 1.25, 20), ('a', '2026-11-29 10:20:00+00', 0.625, 80),
              ('b', '2026-11-29 10:00:00+00', 2, 1000), ('b', '2026-11-29 10:05:00+00', 2.5, 1010),
              ('b', '2026-11-29 10:10:00+00', 1.5, 1040), ('b', '2026-11-29 10:15:00+00', 1, NULL), ('b', '2026-11-29 10:20:00+00', 3, 1100);
            INSERT INTO readings VALUES (1, 1795946400, 1795946400000000000, 3.50, 'cellar'), (1, 1795946700, 1795946700000000000, 3.75, 'cellar'),
              (2, 1795946400, 1795946400000000001, 21.00, 'roof'), (2, 1795947300, 1795947300000000000, NULL, 'roof');
            INSERT INTO events VALUES (1, '2026-11-29 10:01:30.25', '2026-11-29 10:04:00', 'release 7', 'web'),
              (2, '2026-11-29 10:12:00.75', NULL, 'disk full', NULL), (3, '2026-11-29 11:00:00', '2026-11-29 11:00:01', 'later', 'web,db');
            """;

    @SuppressWarnings("NullAway.Init")
    private FulmarNode node;

    @SuppressWarnings("NullAway.Init")
    private Connection connection;

    @BeforeEach
    void start() {
        node = SmallNode.start(3);
    }

    private void connect(String mode) throws SQLException {
        connection = DriverManager.getConnection("jdbc:postgresql://127.0.0.1:"
                + node.postgresAddress().orElseThrow().port() + "/fulmar?user=ann&preferQueryMode=" + mode);
        try (Statement statement = connection.createStatement()) {
            for (String each : SCHEMA.strip().split(";\n", -1)) {
                statement.execute(each);
            }
        }
    }

    @AfterEach
    void stop() throws SQLException {
        connection.close();
        node.close();
    }

    private String answer(String sql) {
        try (Statement statement = connection.createStatement()) {
            return String.join("\n", RecordedStatement.rows(statement.executeQuery(sql)));
        } catch (SQLException e) {
            return e.getSQLState() + " " + e.getMessage();
        }
    }

    /** Grafana sends a Query; other tools prepare their statements. */
    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended"})
    void statementsYieldWhatPostgresYields(String mode) throws SQLException, IOException {
        connect(mode);
        List<RecordedStatement> recorded = RecordedStatement.read("/grafana-statements.txt");
        List<String> differences = new ArrayList<>();
        for (RecordedStatement each : recorded) {
            String answer = answer(each.sql());
            if (!answer.equals(each.rows())) {
                differences.add(each.title() + "\n" + answer + "\ninstead of\n" + each.rows());
            }
        }
        assertThat(String.join("\n\n", differences)).isEmpty();
        assertThat(recorded).hasSizeGreaterThan(40);
    }
}
