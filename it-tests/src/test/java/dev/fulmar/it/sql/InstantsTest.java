package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.ErrorCode;
import java.time.Instant;
import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;

/** TIMESTAMP WITH TIME ZONE for Java clients, whose instants survive a restart. */
class InstantsTest extends DurableNodeFixture {
    private static final Instant FIRST = Instant.parse("2024-07-01T10:00:00.123456Z");
    private static final Instant SECOND = Instant.parse("1969-12-31T23:59:59.5Z");

    InstantsTest() {
        super(2);
    }

    @Test
    void clientsPassAndGetInstants() {
        run(
                "CREATE TABLE visit (at TIMESTAMPTZ NOT NULL PRIMARY KEY, seen TIMESTAMP, day DATE)",
                "PARTITION TABLE visit ON COLUMN at",
                "CREATE PROCEDURE arrive PARTITION ON TABLE visit COLUMN at AS INSERT INTO visit (at, seen) VALUES (?, ?)");
        client.execute("INSERT INTO visit (at, seen) VALUES (?, ?)", FIRST, FIRST);
        client.call("arrive", SECOND, SECOND);
        run("UPDATE visit SET day = at /* TIME ZONE Asia/Tokyo */");
        restart();
        for (Instant each : new Instant[] {FIRST, SECOND}) {
            ResultTable row = client.execute("SELECT at, seen, day FROM visit WHERE at = ?", each)
                    .table()
                    .first();
            assertThat(row.getObject(0)).isEqualTo(each);
            assertThat(row.getObject(1))
                    .isEqualTo(LocalDateTime.parse(each.toString().replace("Z", "")));
            assertThat(row.getString(2)).isEqualTo(each.equals(FIRST) ? "2024-07-01" : "1970-01-01");
        }
        assertThat(client.execute("SELECT at FROM visit WHERE at = ?", "1970-01-01 00:59:59.5+01")
                        .table()
                        .first()
                        .getString(0))
                .isEqualTo("1969-12-31 23:59:59.5+00");
        assertThat(number("SELECT COUNT(*) FROM visit WHERE at > ?", LocalDateTime.of(2024, 7, 1, 10, 0)))
                .isEqualTo(1);
    }

    @Test
    void whatIsNoInstantIsRefused() {
        run("CREATE TABLE visit (at TIMESTAMPTZ)");
        fails(ErrorCode.TYPE_MISMATCH, () -> client.execute("INSERT INTO visit VALUES (?)", true));
        fails(ErrorCode.NOT_SUPPORTED, () -> client.execute("INSERT INTO visit VALUES (?)", "tomorrow"));
        fails(
                ErrorCode.DATETIME_OUT_OF_RANGE,
                () -> client.execute("INSERT INTO visit VALUES (?)", "2024-02-30 00:00+01"));
        fails(
                ErrorCode.DATETIME_OUT_OF_RANGE,
                () -> client.execute("INSERT INTO visit VALUES (?)", Instant.parse("+12000-01-01T00:00:00Z")));
    }
}
