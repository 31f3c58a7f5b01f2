package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.ErrorCode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Infinities of dates and timestamps for Java clients; they are keys, place rows, and survive a restart. */
class InfinitiesTest extends DurableNodeFixture {
    InfinitiesTest() {
        super(3);
    }

    @Test
    void theGreatestAndTheLeastAreInfinitiesToClients() {
        run(
                "CREATE TABLE visit (at TIMESTAMPTZ NOT NULL, day DATE NOT NULL, seen TIMESTAMP, PRIMARY KEY (at, day))",
                "PARTITION TABLE visit ON COLUMN at",
                "CREATE UNIQUE INDEX one_day ON visit (at, seen)",
                "CREATE PROCEDURE arrive PARTITION ON TABLE visit COLUMN at AS INSERT INTO visit VALUES (?, ?, ?)");
        client.execute("INSERT INTO visit VALUES (?, ?, ?)", Instant.MAX, LocalDate.MAX, LocalDateTime.MAX);
        client.call("arrive", Instant.MIN, LocalDate.MIN, LocalDateTime.MIN);
        client.call("arrive", "infinity", "-infinity", "-Infinity");
        client.execute("INSERT INTO visit VALUES (?, ?, ?)", LocalDate.MIN, LocalDateTime.MAX, Instant.MAX);
        fails(
                ErrorCode.UNIQUE_VIOLATION,
                () -> client.execute("INSERT INTO visit VALUES ('infinity', DATE 'infinity', NULL)"));
        for (int i = 0; i < 2; i++) {
            assertThat(ResultRows.of(client, "SELECT at, day, seen FROM visit ORDER BY at, day", " "))
                    .containsExactly(
                            "-infinity -infinity -infinity",
                            "-infinity infinity infinity",
                            "infinity -infinity -infinity",
                            "infinity infinity infinity");
            restart();
        }
        ResultTable row = client.execute(
                        "SELECT at, day, seen FROM visit WHERE at = ? AND day = ?", Instant.MAX, "infinity")
                .table()
                .first();
        assertThat(row.getObject(0)).isEqualTo(Instant.MAX);
        assertThat(row.getObject(1)).isEqualTo(LocalDate.MAX);
        assertThat(row.getObject(2)).isEqualTo(LocalDateTime.MAX);
        assertThat(row.getString(0)).isEqualTo("infinity");
        assertThat(row.getString(1)).isEqualTo("infinity");
        assertThat(row.getString(2)).isEqualTo("infinity");
        assertThat(number("SELECT COUNT(*) FROM visit WHERE day > ?", LocalDate.of(9999, 12, 31)))
                .isEqualTo(2);
    }

    /** The number of an infinity may be left where a value has become null. */
    @Test
    void aNullBehindAnInfinityIsNull() {
        run(
                "CREATE TABLE span (id INTEGER NOT NULL PRIMARY KEY, d DATE, m TIMESTAMP, n INTEGER)",
                "CREATE TABLE term (id INTEGER NOT NULL PRIMARY KEY, d DATE, CHECK (d - DATE '2000-01-01' > 0))",
                "CREATE PROCEDURE Measure PARTITION ON TABLE span COLUMN id PARAMETER 0 AS"
                        + " UPDATE span SET n = d - DATE '2000-01-01' WHERE id = ?");
        client.execute("INSERT INTO span (id, d, m) VALUES (?, ?, ?)", 1, LocalDate.MAX, LocalDateTime.MIN);
        client.execute("INSERT INTO span (id, d, m) VALUES (?, ?, ?)", 2, null, null);
        client.execute("INSERT INTO span (id, d, m) VALUES (?, ?, ?)", 3, LocalDate.of(2000, 1, 3), null);
        for (int i = 0; i < 2; i++) {
            assertThat(ResultRows.of(
                            client,
                            "SELECT d - DATE '2000-01-01', CAST(m AS TIME) FROM span WHERE id > 1 ORDER BY id",
                            " "))
                    .containsExactly("null null", "2 null");
            client.call("Measure", 2);
            restart();
        }
        fails(
                ErrorCode.DATETIME_OUT_OF_RANGE,
                () -> client.execute("SELECT d - DATE '2000-01-01' FROM span WHERE id = 1"));
        client.execute("UPDATE span SET d = ? WHERE id = 1", (Object) null);
        String term = "INSERT INTO term VALUES (?, ?)";
        fails(ErrorCode.DATETIME_OUT_OF_RANGE, () -> client.execute(term, 1, LocalDate.MAX));
        client.execute(term, 2, null);
        assertThat(ResultRows.of(client, "SELECT d - DATE '2000-01-01' FROM span WHERE id = 1", " "))
                .containsExactly("null");
    }

    /** Also the day and the moment that stand for infinities inside. */
    @Test
    void whatIsFarAwayIsNoInfinity() {
        run("CREATE TABLE far (d DATE, m TIMESTAMP, b BIGINT, t TIME)");
        for (LocalDate day :
                List.of(LocalDate.ofEpochDay(50_000_000), LocalDate.MAX.minusDays(1), LocalDate.of(10_000, 1, 1))) {
            fails(ErrorCode.DATETIME_OUT_OF_RANGE, () -> client.execute("INSERT INTO far (d) VALUES (?)", day));
            fails(ErrorCode.DATETIME_OUT_OF_RANGE, () -> client.execute("INSERT INTO far (m) VALUES (?)", day));
        }
        LocalDateTime within = LocalDate.ofEpochDay(50_000_000).atTime(12, 0);
        fails(ErrorCode.DATETIME_OUT_OF_RANGE, () -> client.execute("INSERT INTO far (d) VALUES (?)", within));
        fails(ErrorCode.DATETIME_OUT_OF_RANGE, () -> client.execute("INSERT INTO far (d) VALUES (?)", 50_000_000L));
        fails(
                ErrorCode.DATETIME_OUT_OF_RANGE,
                () -> client.execute("INSERT INTO far (m) VALUES (?)", 50_000_000L * 86_400_000_000L));
        fails(
                ErrorCode.DATETIME_OUT_OF_RANGE,
                () -> client.execute("INSERT INTO far (t) VALUES (?)", LocalDateTime.MAX));
        fails(
                ErrorCode.DATETIME_OUT_OF_RANGE,
                () -> client.execute("INSERT INTO far (b) VALUES (?)", LocalDateTime.MAX));
        assertThat(number("SELECT COUNT(*) FROM far")).isZero();
    }

    /** Defaults, conditions and views have them, and rows that a view keeps. */
    @Test
    void defaultsViewsAndRulesKnowThem() {
        run(
                "CREATE TABLE lease (id INTEGER NOT NULL PRIMARY KEY, until DATE DEFAULT DATE 'infinity' NOT NULL,"
                        + " since TIMESTAMP DEFAULT TIMESTAMP '-infinity', CHECK (until >= DATE '2000-01-01'))",
                "CREATE VIEW lasting AS SELECT id FROM lease WHERE until = DATE 'infinity'",
                "CREATE MATERIALIZED VIEW ends AS SELECT until, COUNT(*) AS leases FROM lease GROUP BY until",
                "INSERT INTO lease (id) VALUES (1), (2)",
                "INSERT INTO lease VALUES (3, DATE '2024-01-01', CURRENT_TIMESTAMP)",
                "ALTER TABLE lease ADD COLUMN paid DATE DEFAULT '-infinity'");
        fails(ErrorCode.CHECK_VIOLATION, "INSERT INTO lease VALUES (4, DATE '-infinity', NULL, NULL)");
        restart();
        run("INSERT INTO lease (id) VALUES (5)");
        assertThat(ResultRows.of(client, "SELECT id FROM lasting ORDER BY id", " "))
                .containsExactly("1", "2", "5");
        assertThat(ResultRows.of(client, "SELECT * FROM ends ORDER BY until", " "))
                .containsExactly("2024-01-01 1", "infinity 3");
        assertThat(ResultRows.of(client, "SELECT since, paid FROM lease WHERE id = 5", " "))
                .containsExactly("-infinity -infinity");
    }
}
