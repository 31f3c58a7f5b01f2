package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import java.math.BigDecimal;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.Date;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;

/** The JDBC driver of PostgreSQL, unmodified. */
class PostgresDriverTest extends PostgresNodeFixture {
    PostgresDriverTest() {
        super(false);
    }

    @BeforeEach
    void createTable() throws SQLException {
        update("CREATE TABLE account (id INTEGER NOT NULL PRIMARY KEY, owner VARCHAR(20), balance DECIMAL(10, 2))");
    }

    @Test
    void readsAndWrites() throws SQLException {
        assertThat(update("INSERT INTO account VALUES (1, 'ann', 12.5), (2, NULL, 0)"))
                .isEqualTo(2);
        assertThat(update("UPDATE account SET balance = balance + 1 WHERE id = 1"))
                .isEqualTo(1);
        assertThat(rows("SELECT * FROM account ORDER BY id")).containsExactly("1,ann,13.50", "2,null,0.00");
        assertThat(update("DELETE FROM account")).isEqualTo(2);
        assertThat(rows("SELECT COUNT(*) FROM account")).containsExactly("0");
    }

    @Test
    void aSessionThatOnlyReadsChangesNothing() throws SQLException {
        update("SET default_transaction_read_only = on");
        for (String sql : new String[] {"INSERT INTO account VALUES (1, 'ann', 1)", "DROP TABLE account"}) {
            assertThatThrownBy(() -> update(sql))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25006"));
        }
        assertThat(rows("SELECT COUNT(*) FROM account")).containsExactly("0");
        update("SET default_transaction_read_only = off");
        assertThat(update("INSERT INTO account VALUES (1, 'ann', 1)")).isEqualTo(1);
    }

    @Test
    void describesColumns() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id, owner AS \"Name\", balance FROM account")) {
            ResultSetMetaData columns = rows.getMetaData();
            assertThat(columns.getColumnLabel(1)).isEqualTo("id");
            assertThat(columns.getColumnLabel(2)).isEqualTo("Name");
            assertThat(columns.getColumnType(1)).isEqualTo(Types.INTEGER);
            assertThat(columns.getColumnType(3)).isEqualTo(Types.NUMERIC);
            assertThat(columns.getPrecision(3)).isEqualTo(10);
            assertThat(columns.getScale(3)).isEqualTo(2);
        }
    }

    /** The driver asks for the columns of setval before it executes it, though it is a change of the catalog. */
    @Test
    void numbersOfAColumnAreSetAndDrawn() throws SQLException {
        update("CREATE TABLE numbered (id serial PRIMARY KEY, v INTEGER)");
        assertThat(rows("INSERT INTO numbered (v) VALUES (7), (8) RETURNING id"))
                .containsExactly("1", "2");
        assertThat(rows("SELECT pg_get_serial_sequence('numbered', 'id'), pg_get_serial_sequence('numbered', 'v')"))
                .containsExactly("public.numbered_id_sequence,null");
        try (PreparedStatement set = connection.prepareStatement("SELECT setval('public.numbered_id_sequence', 41)")) {
            for (int i = 0; i < 6; i++) {
                try (ResultSet row = set.executeQuery()) {
                    assertThat(row.next()).isTrue();
                    assertThat(row.getLong(1)).isEqualTo(41);
                }
            }
        }
        assertThat(rows("INSERT INTO numbered VALUES (DEFAULT, 9) RETURNING id"))
                .containsExactly("42");
        assertThat(rows("SELECT currval(pg_get_serial_sequence('public.\"numbered\"', 'id'))"))
                .containsExactly("42");
        update("CREATE TABLE \"User\" (\"userId\" serial PRIMARY KEY, name VARCHAR(9))");
        String sequence = "pg_get_serial_sequence('\"User\"', 'userId')";
        assertThat(rows("SELECT " + sequence)).doesNotContain("null");
        assertThat(rows("SELECT setval(" + sequence + ", 7)")).containsExactly("7");
        assertThat(rows("INSERT INTO \"User\" (name) VALUES ('ann') RETURNING \"userId\""))
                .containsExactly("8");
        update("CREATE SEQUENCE ticket");
        assertThat(rows("SELECT nextval('\"ticket\"'::regclass), nextval('public.ticket')"))
                .hasSize(1);
    }

    /** Loaders send batches as statements of many rows: as BenchBase does, with 128 rows of 17 columns. */
    @Test
    void aStatementHasAsManyParametersAsPostgresAllows() throws SQLException {
        int columns = 17;
        int rows = 65_535 / columns;
        StringBuilder table = new StringBuilder("CREATE TABLE wide (c0 INTEGER NOT NULL PRIMARY KEY");
        for (int i = 1; i < columns; i++) {
            table.append(", c").append(i).append(" INTEGER");
        }
        update(table.append(")").toString());
        String row = "(" + "?,".repeat(columns - 1) + "?)";
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO wide VALUES " + (row + ",").repeat(rows - 1) + row)) {
            for (int i = 0; i < rows * columns; i++) {
                insert.setInt(i + 1, i);
            }
            assertThat(insert.executeUpdate()).isEqualTo(rows);
        }
        assertThat(rows("SELECT COUNT(*), SUM(c16 - c0) FROM wide")).containsExactly(rows + "," + 16L * rows);
    }

    /** From the fifth execution on the driver has prepared the statement by name, and reads binary values. */
    @Test
    void preparesStatementsAndReadsBothForms() throws SQLException {
        update("CREATE TABLE kinds (id INTEGER NOT NULL PRIMARY KEY, b BOOLEAN, s SMALLINT, l BIGINT, r REAL,"
                + " d DOUBLE, n DECIMAL(38, 10), c CHAR(5), v VARCHAR(40), x VARBINARY(10), da DATE, ti TIME,"
                + " ts TIMESTAMP, u UUID)");
        UUID uuid = UUID.fromString("0f0e0d0c-0b0a-0908-0706-050403020100");
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO kinds VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)")) {
            for (int i = 0; i < 12; i++) {
                insert.setInt(1, i);
                insert.setBoolean(2, i % 2 == 0);
                insert.setShort(3, (short) -i);
                insert.setLong(4, Long.MIN_VALUE + i);
                insert.setFloat(5, 0.1f);
                insert.setDouble(6, 1e-300);
                insert.setBigDecimal(7, new BigDecimal("-1234567890123456789.0123456789"));
                insert.setString(8, "ab");
                insert.setString(9, "ü€😀'\\");
                insert.setBytes(10, new byte[] {0, (byte) i, -1});
                insert.setObject(11, LocalDate.of(1969, 7, 20));
                insert.setObject(12, LocalTime.of(23, 59, 59, 999_999_000));
                insert.setObject(13, LocalDateTime.of(2024, 2, 29, 1, 2, 3, 4_000));
                insert.setObject(14, uuid);
                assertThat(insert.executeUpdate()).isEqualTo(1);
            }
        }
        try (PreparedStatement select = connection.prepareStatement("SELECT * FROM kinds WHERE id = ?")) {
            for (int i = 0; i < 12; i++) {
                select.setInt(1, i);
                try (ResultSet row = select.executeQuery()) {
                    assertThat(row.next()).isTrue();
                    assertThat(row.getBoolean(2)).isEqualTo(i % 2 == 0);
                    assertThat(row.getShort(3)).isEqualTo((short) -i);
                    assertThat(row.getLong(4)).isEqualTo(Long.MIN_VALUE + i);
                    assertThat(row.getFloat(5)).isEqualTo(0.1f);
                    assertThat(row.getDouble(6)).isEqualTo(1e-300);
                    assertThat(row.getBigDecimal(7)).isEqualTo("-1234567890123456789.0123456789");
                    assertThat(row.getString(8)).isEqualTo("ab   ");
                    assertThat(row.getString(9)).isEqualTo("ü€😀'\\");
                    assertThat(row.getBytes(10)).containsExactly(0, i, -1);
                    assertThat(row.getObject(11, LocalDate.class)).isEqualTo("1969-07-20");
                    assertThat(row.getObject(12, LocalTime.class)).isEqualTo("23:59:59.999999");
                    assertThat(row.getObject(13, LocalDateTime.class)).isEqualTo("2024-02-29T01:02:03.000004");
                    assertThat(row.getObject(14)).isEqualTo(uuid);
                    assertThat(row.next()).isFalse();
                }
            }
            assertThat(select.unwrap(PGStatement.class).isUseServerPrepare()).isTrue();
        }
    }

    @Test
    void infersTheTypesOfParameters() throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("UPDATE account SET owner = ?, balance = ? WHERE id = ?")) {
            ParameterMetaData parameters = statement.getParameterMetaData();
            assertThat(parameters.getParameterCount()).isEqualTo(3);
            assertThat(parameters.getParameterType(1)).isEqualTo(Types.VARCHAR);
            assertThat(parameters.getParameterType(2)).isEqualTo(Types.NUMERIC);
            assertThat(parameters.getParameterType(3)).isEqualTo(Types.INTEGER);
        }
    }

    @Test
    void nullsOfAnyTypeAreNulls() throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO account VALUES (?, ?, ?)")) {
            insert.setInt(1, 1);
            insert.setNull(2, Types.VARCHAR);
            insert.setObject(3, null);
            insert.executeUpdate();
        }
        assertThat(rows("SELECT * FROM account")).containsExactly("1,null,null");
    }

    @Test
    void aBatchIsAllOrNothing() throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO account (id) VALUES (?)")) {
            for (int id : new int[] {1, 2, 3, 2}) {
                insert.setInt(1, id);
                insert.addBatch();
            }
            assertThatThrownBy(insert::executeBatch).isInstanceOf(BatchUpdateException.class);
            assertThat(rows("SELECT COUNT(*) FROM account")).containsExactly("0");
            for (int id = 10; id < 500; id++) {
                insert.setInt(1, id);
                insert.addBatch();
            }
            assertThat(Arrays.stream(insert.executeBatch()).sum()).isEqualTo(490);
        }
        assertThat(rows("SELECT COUNT(*) FROM account")).containsExactly("490");
    }

    @Test
    void transactionsCommitAndRollBack() throws SQLException {
        connection.setAutoCommit(false);
        update("INSERT INTO account VALUES (1, 'ann', 1)");
        connection.rollback();
        update("INSERT INTO account VALUES (2, 'bob', 2)");
        Savepoint savepoint = connection.setSavepoint();
        update("INSERT INTO account VALUES (3, 'cay', 3)");
        assertThat(rows("SELECT id FROM account ORDER BY id")).containsExactly("2", "3");
        connection.rollback(savepoint);
        connection.commit();
        connection.setAutoCommit(true);
        assertThat(rows("SELECT id FROM account")).containsExactly("2");
    }

    @Test
    void aFailedTransactionRefusesWhatFollows() throws SQLException {
        connection.setAutoCommit(false);
        update("INSERT INTO account VALUES (1, 'ann', 1)");

        assertThatThrownBy(() -> update("INSERT INTO account VALUES (1, 'bob', 1)"))
                .satisfies(hasState("23505"));
        assertThatThrownBy(() -> rows("SELECT 1")).satisfies(hasState("25P02"));
        connection.rollback();
        assertThat(rows("SELECT COUNT(*) FROM account")).containsExactly("0");
    }

    @Test
    void conflictsAreTold() throws SQLException {
        update("INSERT INTO account VALUES (1, 'ann', 1)");
        try (Connection other = connect("")) {
            connection.setAutoCommit(false);
            assertThat(rows("SELECT balance FROM account WHERE id = 1")).containsExactly("1.00");
            try (Statement statement = other.createStatement()) {
                statement.executeUpdate("UPDATE account SET balance = 5 WHERE id = 1");
            }
            assertThatThrownBy(() -> {
                        update("UPDATE account SET balance = 2 WHERE id = 1");
                        connection.commit();
                    })
                    .satisfies(hasState("40001"));
            connection.rollback();
        }
        assertThat(rows("SELECT balance FROM account")).containsExactly("5.00");
    }

    private static java.util.function.Consumer<Throwable> hasState(String state) {
        return thrown -> assertThat(((SQLException) thrown).getSQLState()).isEqualTo(state);
    }

    @Test
    void errorsHaveStatesAndPlaces() {
        assertThatThrownBy(() -> rows("SELECT *\nFROM nothing"))
                .satisfies(hasState("42P01"))
                .hasMessageContaining("Position: 15");
        assertThatThrownBy(() -> rows("SELECT owner, nme FROM account")).satisfies(hasState("42703"));
        assertThatThrownBy(() -> rows("SELEC 1")).satisfies(hasState("42601"));
        assertThatThrownBy(() -> rows("SELECT 1 / 0")).satisfies(hasState("22012"));
        assertThatThrownBy(() -> update("INSERT INTO account VALUES (NULL)")).satisfies(hasState("23502"));
        assertThatThrownBy(() -> update("CREATE TABLE account (id INTEGER)")).satisfies(hasState("42P07"));
    }

    @Test
    void resultsComeInPartsOfTheFetchSize() throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO account (id) VALUES (?)")) {
            for (int id = 0; id < 1_000; id++) {
                insert.setInt(1, id);
                insert.addBatch();
            }
            insert.executeBatch();
        }
        for (boolean isReadOnly : new boolean[] {false, true}) {
            connection.setReadOnly(isReadOnly);
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.setFetchSize(70);
                int count = 0;
                try (ResultSet rows = statement.executeQuery("SELECT id FROM account")) {
                    while (rows.next()) {
                        count++;
                    }
                }
                assertThat(count).isEqualTo(1_000);
            }
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(node.sessions().openTransactions()).isZero();
    }

    @Test
    void valuesOfInsertedRowsComeBack() throws SQLException {
        update("CREATE TABLE note (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, text VARCHAR(10))");
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO note (text) VALUES (?)", new String[] {"id"})) {
            insert.setString(1, "x");
            insert.executeUpdate();
            try (ResultSet keys = insert.getGeneratedKeys()) {
                assertThat(keys.next()).isTrue();
                assertThat(rows("SELECT id FROM note")).containsExactly(keys.getString(1));
            }
        }
    }

    @Test
    void tablesMayChangeUnderPreparedStatements() throws SQLException {
        update("INSERT INTO account VALUES (1, 'ann', 1)");
        try (PreparedStatement select = connection.prepareStatement("SELECT * FROM account")) {
            for (int i = 0; i < 8; i++) {
                select.executeQuery().close();
            }
            update("ALTER TABLE account ADD COLUMN city VARCHAR(10)");
            try (ResultSet rows = select.executeQuery()) {
                assertThat(rows.getMetaData().getColumnCount()).isEqualTo(4);
            }
        }
    }

    @Test
    void aStatementIsCancelledOverAnotherConnection() throws SQLException {
        update("INSERT INTO account (id) VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9),(10),(11),(12),(13),(14),(15)");
        try (Statement statement = connection.createStatement()) {
            AtomicBoolean isOver = new AtomicBoolean();
            CompletableFuture<Void> cancelling = CompletableFuture.runAsync(() -> {
                try {
                    while (!isOver.get()) { // a request that comes before the query does nothing
                        connection.unwrap(PGConnection.class).cancelQuery();
                    }
                } catch (SQLException e) {
                    throw new AssertionError(e);
                }
            });
            assertThatThrownBy(() -> statement.executeQuery("SELECT COUNT(*) FROM account a, account b, account c,"
                            + " account d, account e, account f, account g, account h"))
                    .satisfies(hasState("57014"));
            isOver.set(true);
            cancelling.join();
        }
        assertThat(rows("SELECT 1")).containsExactly("1");
    }

    @Test
    void severalStatementsAtOnceHaveSeveralResults() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            assertThat(statement.execute("INSERT INTO account (id) VALUES (1); SELECT id FROM account"))
                    .isFalse();
            assertThat(statement.getUpdateCount()).isEqualTo(1);
            assertThat(statement.getMoreResults()).isTrue();
        }
    }

    @Test
    void theSimpleProtocolDoesTheSame() throws SQLException {
        try (Connection simple = connect("&preferQueryMode=simple");
                PreparedStatement insert = simple.prepareStatement("INSERT INTO account VALUES (?, ?, ?)")) {
            insert.setInt(1, 1);
            insert.setString(2, "it's");
            insert.setBigDecimal(3, new BigDecimal("1.25"));
            assertThat(insert.executeUpdate()).isEqualTo(1);
        }
        assertThat(rows("SELECT * FROM account")).containsExactly("1,it's,1.25");
    }

    @Test
    void theDriverKnowsTheServer() throws SQLException {
        assertThat(connection.getMetaData().getDatabaseMajorVersion()).isEqualTo(15);
        assertThat(connection.unwrap(PGConnection.class).getParameterStatus("server_encoding"))
                .isEqualTo("UTF8");
        assertThat(connection.isValid(5)).isTrue();
        connection.setClientInfo("ApplicationName", "test");
        assertThat(rows("SHOW application_name")).containsExactly("test");
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
    }

    @Test
    void newTablesArePartitionedUnlessTheConnectionSaysOtherwise() throws SQLException {
        update("CREATE TABLE note (text VARCHAR(10))");
        update("SET default_placement = replicated");
        update("CREATE TABLE word (text VARCHAR(10))");
        update("RESET default_placement");
        connection.setAutoCommit(false);
        update("CREATE TABLE entry (id INTEGER NOT NULL PRIMARY KEY, account INTEGER NOT NULL)");
        connection.commit();

        Catalog catalog = node.database().catalog();
        assertThat(catalog.table("NOTE").hasRowId()).isTrue();
        assertThat(rows("SELECT column_name FROM information_schema.columns WHERE table_name = 'note'"))
                .containsExactly("text");
        try (ResultSet columns = connection.getMetaData().getColumns(null, null, "note", null)) {
            assertThat(columns.next()).isTrue();
            assertThat(columns.getString("COLUMN_NAME")).isEqualTo("text");
            assertThat(columns.next()).isFalse();
        }
        assertThat(catalog.table("WORD").isReplicated()).isTrue();
        assertThat(catalog.table("ENTRY").isReplicated()).isFalse();
        assertThat(catalog.table("ACCOUNT").isReplicated()).isFalse();
    }

    @Test
    void datesOfJdbcAreThoseOfTheClientsZone() throws SQLException {
        update("CREATE TABLE day (id INTEGER NOT NULL PRIMARY KEY, d DATE, t TIMESTAMP)");
        Timestamp now = Timestamp.valueOf("2024-03-31 02:30:00.123456");
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO day VALUES (1, ?, ?)")) {
            insert.setDate(1, Date.valueOf("2024-03-31"));
            insert.setTimestamp(2, now);
            insert.executeUpdate();
        }
        assertThat(rows("SELECT d, t FROM day")).containsExactly("2024-03-31,2024-03-31 02:30:00.123456");
    }
}
