package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.ErrorCode;
import org.junit.jupiter.api.Test;

/** Intervals for Java clients, which pass and get text; they survive a restart. */
class IntervalsTest extends DurableNodeFixture {
    private static final String TEXT = "1 mon -2 days +03:04:05.678901";

    IntervalsTest() {
        super(2);
    }

    @Test
    void clientsPassAndGetTexts() {
        run(
                "CREATE TABLE pause (id INTEGER NOT NULL PRIMARY KEY, i INTERVAL, d INTERVAL DAY)",
                "CREATE PROCEDURE keep PARTITION ON TABLE pause COLUMN id AS INSERT INTO pause VALUES (?, ?, ?)",
                "CREATE PROCEDURE change AS UPDATE pause SET i = i + ? WHERE d = ?");
        client.execute("INSERT INTO pause VALUES (?, ?, ?)", 1, TEXT, "P3DT4H");
        client.call("keep", 2, TEXT, "3 days 1 hour");
        client.execute("INSERT INTO pause VALUES (3, '" + TEXT + "', INTERVAL '3 days 4 hours')");
        client.call("pause.insert", 4, TEXT, "72:00:00");
        assertThat(number("SELECT COUNT(*) FROM pause WHERE i = ?", TEXT)).isEqualTo(4);
        client.call("change", "1 day", "72 hours");
        restart();
        ResultTable rows = client.execute(
                        "SELECT i, d, i * ?, TIMESTAMP '2024-01-01 00:00:00' + d FROM pause ORDER BY id", 2)
                .table();
        for (int i = 0; i < 4; i++) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getObject(0)).isEqualTo(i == 3 ? TEXT : "1 mon -1 days +03:04:05.678901");
            assertThat(rows.getString(1)).isEqualTo(i == 3 ? "00:00:00" : "3 days");
            assertThat(rows.getString(2))
                    .isEqualTo(i == 3 ? "2 mons -4 days +06:08:11.357802" : "2 mons -2 days +06:08:11.357802");
        }
    }

    @Test
    void equalIntervalsAreOneGroupWhereverTheyAre() {
        run("CREATE TABLE pause (id INTEGER NOT NULL PRIMARY KEY, i INTERVAL)");
        for (int i = 0; i < 30; i++) {
            client.execute(
                    "INSERT INTO pause VALUES (?, ?)", i, i % 3 == 0 ? "1 mon" : i % 3 == 1 ? "30 days" : "720:00:00");
        }
        assertThat(number("SELECT COUNT(*) FROM (SELECT i FROM pause GROUP BY i) AS g"))
                .isEqualTo(1);
        assertThat(number("SELECT COUNT(DISTINCT i) FROM pause")).isEqualTo(1);
        assertThat(number("SELECT COUNT(*) FROM (SELECT i FROM pause UNION SELECT INTERVAL '1 mon') AS u"))
                .isEqualTo(1);
        assertThat(number("SELECT COUNT(*) FROM pause a JOIN pause b ON a.i = b.i"))
                .isEqualTo(900);
        ResultTable extremes =
                client.execute("SELECT MIN(i), MAX(i) FROM pause").table();
        assertThat(extremes.next()).isTrue();
        assertThat(extremes.getString(0)).isEqualTo("720:00:00");
        assertThat(extremes.getString(1)).isEqualTo("1 mon");
    }

    @Test
    void whatIsNoIntervalIsRefused() {
        run("CREATE TABLE pause (id INTEGER NOT NULL PRIMARY KEY, i INTERVAL)");
        fails(ErrorCode.INVALID_DATETIME, () -> client.execute("INSERT INTO pause VALUES (1, ?)", "soon"));
        fails(ErrorCode.INTERVAL_OUT_OF_RANGE, () -> client.call("pause.insert", 1, "3000000000 days"));
        fails(ErrorCode.TYPE_MISMATCH, () -> client.execute("INSERT INTO pause VALUES (1, ?)", true));
        fails(ErrorCode.TYPE_MISMATCH, () -> client.execute("INSERT INTO pause VALUES (1, ?)", 5));
        fails(ErrorCode.NOT_SUPPORTED, () -> client.execute("CREATE INDEX of_pauses ON pause (i)"));
        fails(ErrorCode.NOT_SUPPORTED, () -> client.execute("PARTITION TABLE pause ON COLUMN i"));
        fails(
                ErrorCode.NOT_SUPPORTED,
                () -> client.execute("CREATE MATERIALIZED VIEW v AS SELECT i, COUNT(*) AS n FROM pause GROUP BY i"));
        fails(
                ErrorCode.NOT_SUPPORTED,
                () -> client.execute("CREATE MATERIALIZED VIEW v AS SELECT id, SUM(i) AS n FROM pause GROUP BY id"));
        fails(
                ErrorCode.NOT_SUPPORTED,
                () -> client.execute("CREATE MATERIALIZED VIEW v AS SELECT id, MIN(i) AS n FROM pause GROUP BY id"));
        fails(ErrorCode.NOT_SUPPORTED, () -> client.execute("CREATE FUNCTION f (i INTERVAL) RETURNS INTEGER AS 1"));
        assertThat(number("SELECT COUNT(*) FROM pause")).isZero();
    }
}
