package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** Instants and arrays with the JDBC driver of PostgreSQL, on a durable node that may start again. */
class PostgresTypesTest extends PostgresNodeFixture {
    /** From the fifth execution on the driver has prepared the statement by name, and reads binary values. */
    private static final int EXECUTIONS = 12;

    PostgresTypesTest() {
        super(true);
    }

    @Test
    void instantsAreReadAndShownInTheTimeZoneOfTheSession() throws SQLException {
        update("CREATE TABLE visit (id INTEGER PRIMARY KEY, at TIMESTAMPTZ, local TIMESTAMP)");
        update("SET TimeZone = 'Europe/Oslo'");
        update(
                "INSERT INTO visit VALUES (1, '2024-07-01 12:00', '2024-07-01 12:00'), (2, '2024-07-01 12:00+00', NULL)");
        assertThat(rows("SELECT at FROM visit ORDER BY id"))
                .containsExactly("2024-07-01 12:00:00+02", "2024-07-01 14:00:00+02");
        assertThat(rows("SELECT id, CAST(at AS date), at::time, at::text FROM visit WHERE at = local"))
                .containsExactly("1,2024-07-01,12:00:00,2024-07-01 12:00:00+02");
        assertThat(rows("SELECT at AT TIME ZONE 'UTC', local AT TIME ZONE 'UTC' FROM visit WHERE id = 1"))
                .containsExactly("2024-07-01 10:00:00,2024-07-01 14:00:00+02");
        update("SET TimeZone = 'UTC'");
        assertThat(rows("SELECT at FROM visit WHERE at = '2024-07-01 10:00'"))
                .containsExactly("2024-07-01 10:00:00+00");
        update("SET TimeZone = '-3'");
        assertThat(rows("SELECT at FROM visit WHERE at::timestamp = '2024-07-01 07:00'"))
                .containsExactly("2024-07-01 07:00:00-03");
    }

    @Test
    void instantsPassAsParametersInBothForms() throws SQLException {
        update("CREATE TABLE visit (at TIMESTAMPTZ PRIMARY KEY, day TIMESTAMPTZ, local TIMESTAMP)");
        update("SET TimeZone = 'America/New_York'");
        OffsetDateTime moment = OffsetDateTime.of(2024, 3, 10, 6, 30, 0, 123_456_000, ZoneOffset.UTC);
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO visit VALUES (?, ?, ?)")) {
            for (int i = 0; i < EXECUTIONS; i++) {
                insert.setObject(1, moment.plusHours(i));
                insert.setObject(2, LocalDate.of(2024, 3, 10));
                insert.setObject(3, moment.plusHours(i));
                assertThat(insert.executeUpdate()).isEqualTo(1);
            }
        }
        try (PreparedStatement query = connection.prepareStatement("SELECT at, day, local FROM visit WHERE at = ?")) {
            for (int i = 0; i < EXECUTIONS; i++) {
                query.setObject(1, moment.plusHours(i));
                ResultSet row = query.executeQuery();
                assertThat(row.next()).isTrue();
                assertThat(row.getMetaData().getColumnTypeName(1)).isEqualTo("timestamptz");
                assertThat(row.getObject(1, OffsetDateTime.class)).isEqualTo(moment.plusHours(i));
                assertThat(row.getObject(2, OffsetDateTime.class).toInstant())
                        .isEqualTo(Instant.parse("2024-03-10T05:00:00Z"));
                // Clocks go from 02:00 to 03:00 that night.
                int hour = i == 0 ? 1 : i + 2;
                assertThat(row.getObject(3, LocalDateTime.class))
                        .isEqualTo(LocalDateTime.of(2024, 3, 10, hour, 30, 0, 123_456_000));
            }
        }
    }

    @Test
    void theClockIsAnInstantAndItsDateThatOfTheSession() throws SQLException {
        update(
                "CREATE TABLE visit (id INTEGER PRIMARY KEY, at TIMESTAMPTZ DEFAULT now(), local TIMESTAMP DEFAULT now())");
        update("SET TimeZone = 'Pacific/Kiritimati'");
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT now(), CURRENT_TIMESTAMP, LOCALTIMESTAMP, CURRENT_DATE, now() + INTERVAL '1' HOUR")) {
            row.next();
            assertThat(row.getMetaData().getColumnTypeName(1)).isEqualTo("timestamptz");
            assertThat(row.getMetaData().getColumnTypeName(2)).isEqualTo("timestamptz");
            assertThat(row.getMetaData().getColumnTypeName(3)).isEqualTo("timestamp");
            OffsetDateTime now = row.getObject(1, OffsetDateTime.class);
            assertThat(now.toInstant())
                    .isBetween(Instant.now().minusSeconds(600), Instant.now().plusSeconds(600));
            LocalDateTime there =
                    now.withOffsetSameInstant(ZoneOffset.ofHours(14)).toLocalDateTime();
            assertThat(row.getObject(3, LocalDateTime.class)).isEqualTo(there);
            assertThat(row.getObject(4, LocalDate.class)).isEqualTo(there.toLocalDate());
            assertThat(row.getObject(5, OffsetDateTime.class)).isEqualTo(now.plusHours(1));
        }
        update("INSERT INTO visit (id) VALUES (1)");
        update("INSERT INTO visit VALUES (2, now(), now())");
        assertThat(rows("SELECT id FROM visit WHERE at > now() - INTERVAL '1' HOUR AND at::timestamp = local"))
                .containsExactly("2");
    }

    @Test
    void instantsSurviveARestartAndACopy() throws SQLException, IOException {
        update("CREATE TABLE visit (at TIMESTAMPTZ PRIMARY KEY, note TEXT)");
        update("SET TimeZone = 'Europe/Oslo'");
        CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
        copy.copyIn(
                "COPY visit FROM STDIN",
                new ByteArrayInputStream("2024-07-01 12:00\tsummer\n2024-01-01 12:00:00.5+00\twinter\n"
                        .getBytes(StandardCharsets.UTF_8)));
        update("INSERT INTO visit SELECT at + INTERVAL '6' MONTH, note || '+' FROM visit");
        update("UPDATE visit SET at = at::date WHERE note = 'summer'");
        List<String> expected = List.of(
                "2024-01-01 13:00:00.5+01,winter",
                "2024-07-01 00:00:00+02,summer",
                "2024-07-01 13:00:00.5+02,winter+",
                "2025-01-01 12:00:00+01,summer+");
        assertThat(rows("SELECT at, note FROM visit ORDER BY at")).isEqualTo(expected);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        copy.copyOut("COPY (SELECT at FROM visit ORDER BY at LIMIT 1) TO STDOUT", text);
        assertThat(text.toString(StandardCharsets.UTF_8)).isEqualTo("2024-01-01 13:00:00.5+01\n");
        ByteArrayOutputStream binary = new ByteArrayOutputStream();
        copy.copyOut("COPY visit TO STDOUT (FORMAT binary)", binary);
        stop();
        start();
        update("SET TimeZone = 'Europe/Oslo'");
        assertThat(rows("SELECT at, note FROM visit ORDER BY at")).isEqualTo(expected);
        update("DELETE FROM visit");
        connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn("COPY visit FROM STDIN (FORMAT binary)", new ByteArrayInputStream(binary.toByteArray()));
        assertThat(rows("SELECT at, note FROM visit ORDER BY at")).isEqualTo(expected);
    }

    @Test
    void cursorsAndNewTablesHaveTheTimeZoneOfTheSession() throws SQLException {
        update("CREATE TABLE visit (id INTEGER PRIMARY KEY, at TIMESTAMPTZ)");
        update("INSERT INTO visit VALUES (1, '2024-06-30 23:00Z'), (2, '2024-07-01 01:00Z'), (3, NULL)");
        update("SET TimeZone = 'Europe/Oslo'");
        update("CREATE TABLE days AS SELECT id, at::date AS day FROM visit");
        update("CREATE TABLE later (id INTEGER, due TIMESTAMPTZ DEFAULT '2024-07-01 00:00')");
        update("INSERT INTO later VALUES (1, DEFAULT)");
        assertThat(rows("SELECT due FROM later")).containsExactly("2024-07-01 00:00:00+02");
        assertThat(
                        rows(
                                "SELECT id FROM visit WHERE at::date = '2024-07-01' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED"))
                .containsExactly("1");
        connection.setAutoCommit(false);
        connection.setReadOnly(true);
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(1);
            assertThat(rows(statement.executeQuery("SELECT at::date FROM visit ORDER BY id")))
                    .containsExactly("2024-07-01", "2024-07-01", "null");
        }
        connection.commit();
        connection.setReadOnly(false);
        connection.setAutoCommit(true);
        update("SET TimeZone = 'UTC'");
        assertThat(rows("SELECT day FROM days ORDER BY id")).containsExactly("2024-07-01", "2024-07-01", "null");
    }

    @Test
    void theCatalogNamesTheType() throws SQLException {
        update("CREATE TABLE visit (id INTEGER PRIMARY KEY, at TIMESTAMP(6) WITH TIME ZONE)");
        assertThat(rows("SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attname = 'at'"))
                .containsExactly("timestamp with time zone");
        assertThat(
                        rows(
                                "SELECT data_type, datetime_precision FROM information_schema.columns WHERE column_name = 'at'"))
                .containsExactly("timestamp with time zone,6");
        try (ResultSet columns = connection.getMetaData().getColumns(null, "public", "visit", "at")) {
            columns.next();
            assertThat(columns.getString("TYPE_NAME")).isEqualTo("timestamptz");
        }
    }

    @Test
    void unknownTimeZonesAreRefused() {
        assertThatThrownBy(() -> update("SET TimeZone = 'Mars/Base'")).hasMessageContaining("time zone");
        assertThatThrownBy(() -> rows("SELECT now() AT TIME ZONE 'Mars/Base'")).hasMessageContaining("time zone");
    }

    private Array array(String type, @Nullable Object... elements) throws SQLException {
        return connection.createArrayOf(type, elements);
    }

    private List<String> with(String sql, @Nullable Array array) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setArray(1, array);
            return rows(query.executeQuery());
        }
    }

    @Test
    void arraysAreListsOfValues() throws SQLException {
        update("CREATE TABLE item (id INTEGER PRIMARY KEY, big BIGINT, name TEXT, key UUID)");
        UUID key = UUID.fromString("0f0e0d0c-0b0a-0908-0706-050403020100");
        update("INSERT INTO item VALUES (1, 10, 'a', '" + key + "'), (2, 20, 'b,\"c', NULL), (3, NULL, NULL, NULL)");
        try (PreparedStatement query =
                connection.prepareStatement("SELECT id FROM item WHERE id = ANY (?) ORDER BY id")) {
            for (int i = 0; i < EXECUTIONS; i++) {
                query.setArray(1, array("int4", 3, i % 4, null));
                List<String> found = rows(query.executeQuery());
                assertThat(found)
                        .isEqualTo(i % 4 == 0 || i % 4 == 3 ? List.of("3") : List.of(String.valueOf(i % 4), "3"));
            }
        }
        assertThat(with("SELECT id FROM item WHERE big = ANY (?)", array("int8", 20L, 30L)))
                .containsExactly("2");
        assertThat(with("SELECT id FROM item WHERE name = ANY (?)", array("text", "b,\"c", "z", null)))
                .containsExactly("2");
        assertThat(with("SELECT id FROM item WHERE key = ANY (?)", array("uuid", key)))
                .containsExactly("1");
        assertThat(with("SELECT id FROM item WHERE id = ANY (?::int[])", array("int4", 2)))
                .containsExactly("2");
        assertThat(with("SELECT id FROM item WHERE id <> ALL (?) ORDER BY id", array("int4", 2)))
                .containsExactly("1", "3");
        assertThat(with("SELECT id FROM item WHERE id <> ALL (?) ORDER BY id", array("int4", 2, null)))
                .isEmpty();
    }

    @Test
    void emptyArraysHaveNoElementAndNullIsNoArray() throws SQLException {
        update("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)");
        update("INSERT INTO item VALUES (1, 'a'), (2, NULL)");
        assertThat(with("SELECT id FROM item WHERE name = ANY (?)", array("text")))
                .isEmpty();
        assertThat(with("SELECT id FROM item WHERE NOT (name = ANY (?)) ORDER BY id", array("text")))
                .containsExactly("1", "2");
        assertThat(with("SELECT id FROM item WHERE name <> ALL (?) ORDER BY id", array("text")))
                .containsExactly("1", "2");
        assertThat(with("SELECT id FROM item WHERE (id = ANY (?)) IS NULL", null))
                .hasSize(2);
        assertThat(rows("SELECT id FROM item WHERE id = ANY ('{}'::int[])")).isEmpty();
        assertThat(rows("SELECT id FROM item WHERE id <> ALL (ARRAY[]::int[]) ORDER BY id"))
                .containsExactly("1", "2");
    }

    @Test
    void arraysAreFoundByIndexesAndWrittenAsTexts() throws SQLException {
        update("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)");
        update("INSERT INTO item VALUES (1, 'a'), (2, 'b'), (3, 'c')");
        assertThat(rows("SELECT id FROM item WHERE id = ANY ('{1,3}') ORDER BY id"))
                .containsExactly("1", "3");
        assertThat(rows("SELECT id FROM item WHERE name = ANY ('{a,\"b\"}'::text[]) ORDER BY id"))
                .containsExactly("1", "2");
        assertThat(rows("SELECT id FROM item WHERE id = SOME (ARRAY[1, 1 + 1]) ORDER BY id"))
                .containsExactly("1", "2");
        assertThat(rows("SELECT id FROM item WHERE id != ALL (ARRAY['1', '2']::int[])"))
                .containsExactly("3");
        assertThat(String.join("\n", rows("EXPLAIN SELECT name FROM item WHERE id = ANY (ARRAY[1, 2])")))
                .contains("ITEM_PKEY");
        try (PreparedStatement update = connection.prepareStatement("UPDATE item SET name = ? WHERE id = ANY (?)")) {
            update.setString(1, "new");
            update.setArray(2, array("int4", 1, 2));
            assertThat(update.executeUpdate()).isEqualTo(2);
        }
        assertThat(update("DELETE FROM item WHERE id = ANY ('{1,2}'::int[])")).isEqualTo(2);
        Integer[] many = new Integer[1_001];
        for (int i = 0; i < many.length; i++) {
            many[i] = i;
        }
        assertThatThrownBy(() -> with("SELECT id FROM item WHERE id = ANY (?)", array("int4", (Object[]) many)))
                .hasMessageContaining("1000");
        Integer[] most = Arrays.copyOf(many, 1_000);
        assertThat(with("SELECT id FROM item WHERE id = ANY (?)", array("int4", (Object[]) most)))
                .containsExactly("3");
    }

    /** Years go from 1 to 9999, in parameters too. */
    @Test
    void parametersHaveTheYearsThatTypesHave() throws SQLException {
        update("CREATE TABLE moment (id INTEGER PRIMARY KEY, day DATE, local TIMESTAMP, at TIMESTAMPTZ)");
        LocalDateTime last = LocalDateTime.of(9999, 12, 31, 23, 59, 59, 999_999_000);
        for (LocalDateTime beyond : List.of(last.plusNanos(1_000), LocalDateTime.of(0, 12, 31, 0, 0))) {
            for (String column : List.of("day", "local", "at")) {
                Object value = column.equals("day")
                        ? beyond.toLocalDate()
                        : column.equals("local") ? beyond : beyond.atOffset(ZoneOffset.UTC);
                try (PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO moment (id, " + column + ") VALUES (1, ?)")) {
                    insert.setObject(1, value);
                    assertThatThrownBy(insert::executeUpdate)
                            .isInstanceOfSatisfying(
                                    SQLException.class,
                                    e -> assertThat(e.getSQLState()).isEqualTo("22008"));
                }
            }
        }
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO moment VALUES (2, ?, ?, ?)")) {
            insert.setObject(1, last.toLocalDate());
            insert.setObject(2, last);
            insert.setObject(3, last.atOffset(ZoneOffset.UTC));
            assertThat(insert.executeUpdate()).isEqualTo(1);
        }
        assertThat(rows("SELECT day, local FROM moment")).containsExactly("9999-12-31,9999-12-31 23:59:59.999999");
    }
}
