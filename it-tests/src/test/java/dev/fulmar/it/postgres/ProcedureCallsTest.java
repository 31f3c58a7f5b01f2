package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.it.procedure.CalledProcedures;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;

/** Stored procedures that PostgreSQL's JDBC driver calls: CALL, rows in FROM, and JDBC's own form. */
class ProcedureCallsTest extends PostgresNodeFixture {
    private static final String KEY = "0f0e0d0c-0b0a-0908-0706-050403020100";
    private static final String ROW = "1,one,2024-02-29,2024-02-29 10:00:00+00,1.50,t,2.5," + KEY + ",\\x00ff";

    /** From the fifth execution on the driver has prepared a statement by name, and reads binary values. */
    private static final int EXECUTIONS = 8;

    @TempDir
    private Path procedures = Path.of("replaced by JUnit");

    ProcedureCallsTest() {
        super(false);
    }

    @BeforeEach
    void createProcedures() throws Exception {
        update("SET TimeZone = 'UTC'");
        CalledProcedures.create(node, procedures);
    }

    private void remember() throws SQLException {
        update("CALL remember(1, 'one', '2024-02-29', '2024-02-29 12:00:00+02', 1.50, true, 2.5, '" + KEY
                + "', '\\x00ff'::bytea)");
    }

    private static void assertFails(ThrowingCallable work, String state) {
        assertThatThrownBy(work)
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
    }

    @Test
    void aTextCallsAProcedure() throws SQLException {
        remember();
        assertThat(rows("SELECT * FROM memory")).containsExactly(ROW);
        assertThat(rows("CALL withdraw(1, 30)")).containsExactly("70");
        assertThat(rows("SELECT * FROM withdraw(1, 30) AS rest")).containsExactly("40");
        update("CALL refill(5)");
        assertThat(rows("SELECT * FROM refill(6)")).containsExactly("2");
        assertThat(rows("SELECT * FROM remember(2, NULL, NULL, NULL, NULL, NULL, -1, NULL, NULL)"))
                .containsExactly("null");
        assertThat(rows("CALL purses(5)")).containsExactly("1,6", "2,6");
        assertThat(rows("SELECT * FROM purses(5)")).containsExactly("1,6", "2,6");
        assertThat(rows("SELECT * FROM remembered(1)")).containsExactly(ROW, "2,null,null,null,null,null,-1,null,null");
    }

    @Test
    void columnsHaveTheNameOfTheProcedureOrTheOneThatTheyAreGiven() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            assertThat(label(statement, "CALL withdraw(1, 1)")).isEqualTo("withdraw");
            assertThat(label(statement, "SELECT * FROM public.withdraw(1, 1)")).isEqualTo("withdraw");
            assertThat(label(statement, "SELECT * FROM withdraw(1, 1) AS rest")).isEqualTo("rest");
            assertThat(label(statement, "SELECT * FROM withdraw(1, 1) \"Rest\""))
                    .isEqualTo("Rest");
            assertThat(label(statement, "SELECT * FROM remembered(1)")).isEqualTo("id");
        }
    }

    private static String label(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            return rows.getMetaData().getColumnLabel(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"CALL remember(?, ?, ?, ?, ?, ?, ?, ?, ?)", "SELECT * FROM remember(?,?,?,?,?,?,?,?,?)"})
    void parametersHaveTheTypesOfTheProcedure(String sql) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement(sql)) {
            assertThat(call.getParameterMetaData().getParameterTypeName(1)).isEqualTo("int8");
            assertThat(call.getParameterMetaData().getParameterTypeName(3)).isEqualTo("date");
            assertThat(call.getParameterMetaData().getParameterTypeName(4)).isEqualTo("timestamptz");
            assertThat(call.getParameterMetaData().getParameterTypeName(5)).isEqualTo("numeric");
            assertThat(call.getParameterMetaData().getParameterTypeName(9)).isEqualTo("bytea");
            for (int i = 0; i < EXECUTIONS; i++) {
                call.setInt(1, i);
                call.setString(2, "one");
                call.setObject(3, LocalDate.of(2024, 2, 29));
                call.setObject(4, OffsetDateTime.parse("2024-02-29T12:00:00+02:00"));
                call.setBigDecimal(5, new BigDecimal("1.5"));
                call.setBoolean(6, true);
                call.setFloat(7, 2.5f);
                call.setObject(8, UUID.fromString(KEY));
                call.setBytes(9, new byte[] {0, -1});
                call.execute();
            }
        }
        assertThat(rows("SELECT * FROM memory WHERE id = 1")).containsExactly(ROW);
        assertThat(rows("SELECT COUNT(*) FROM memory")).containsExactly("" + EXECUTIONS);
    }

    /** The driver asks for the columns in front of the first execution, and remembers them for the others. */
    @ParameterizedTest
    @ValueSource(strings = {"CALL remembered(?)", "SELECT * FROM remembered(?)", "SELECT * FROM remembered($1::int) r"})
    void rowsOfAProcedureInJavaAreDescribedWhenTheyAreThere(String sql) throws SQLException {
        remember();
        try (PreparedStatement call = connection.prepareStatement(sql.replace("$1", "?"))) {
            for (int i = 0; i < EXECUTIONS; i++) {
                call.setInt(1, 0);
                try (ResultSet row = call.executeQuery()) {
                    assertThat(row.next()).isTrue();
                    assertThat(row.getLong("id")).isOne();
                    assertThat(row.getObject("day", LocalDate.class)).isEqualTo("2024-02-29");
                    assertThat(row.getBigDecimal("price")).isEqualTo("1.50");
                    assertThat(row.getDouble("weight")).isEqualTo(2.5);
                    assertThat(row.getBytes("bytes")).containsExactly(0, -1);
                    assertThat(row.next()).isFalse();
                }
                call.setInt(1, 2);
                try (ResultSet none = call.executeQuery()) {
                    assertThat(none.next()).isFalse();
                }
            }
        }
    }

    /** The driver describes the statement, not the portal, where it does not know the types of parameters. */
    @Test
    void parametersOfUnknownTypeHaveTheTypesOfTheProcedure() throws SQLException {
        remember();
        try (PreparedStatement call = connection.prepareStatement("CALL remembered(?)")) {
            for (int i = 0; i < EXECUTIONS; i++) {
                call.setObject(1, "1", Types.OTHER);
                try (ResultSet rows = call.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getString("word")).isEqualTo("one");
                    assertThat(rows.next()).isFalse();
                }
            }
            assertThat(call.unwrap(PGStatement.class).isUseServerPrepare()).isTrue();
        }
    }

    @Test
    void columnsOfAProcedureInSqlAreKnownBefore() throws SQLException {
        try (PreparedStatement known = connection.prepareStatement("CALL purses(?)");
                PreparedStatement none = connection.prepareStatement("CALL refill(?)");
                PreparedStatement unknown = connection.prepareStatement("CALL remembered(?)")) {
            assertThat(known.getMetaData().getColumnCount()).isEqualTo(2);
            assertThat(known.getMetaData().getColumnLabel(2)).isEqualTo("amount");
            assertThat(none.getMetaData()).isNull();
            assertFails(unknown::getMetaData, "0A000");
        }
    }

    @Test
    void theFirstOfSeveralTablesIsTheResult() throws SQLException {
        try (PreparedStatement call = connection.prepareStatement("CALL twice(?)")) {
            call.setInt(1, 2);
            try (ResultSet rows = call.executeQuery()) {
                assertThat(rows(rows)).containsExactly("1");
            }
            call.setInt(1, 0);
            assertThat(call.execute()).as("no table is a result").isFalse();
        }
        assertThat(rows("SELECT * FROM twice(3)")).containsExactly("1");
        assertThat(rows("SELECT * FROM twice(0)")).containsExactly("null");
    }

    @Test
    void jdbcCallsProcedures() throws SQLException {
        try (CallableStatement call = connection.prepareCall("{call remember(?, ?, ?, ?, ?, ?, ?, ?, ?)}")) {
            call.setLong(1, 1);
            for (int i = 2; i <= 9; i++) {
                call.setNull(i, Types.NULL);
            }
            call.setDouble(7, 2.5);
            call.execute();
        }
        assertThat(rows("SELECT id, weight FROM memory")).containsExactly("1,2.5");
        try (CallableStatement call = connection.prepareCall("{? = call withdraw(?, ?)}")) {
            call.registerOutParameter(1, Types.BIGINT);
            call.setInt(2, 1);
            call.setLong(3, 30);
            call.execute();
            assertThat(call.getLong(1)).isEqualTo(70);
            call.execute();
            assertThat(call.getLong(1)).isEqualTo(40);
        }
    }

    @Test
    void arraysArePassed() throws SQLException {
        try (PreparedStatement call = connection.prepareStatement("CALL add(?)")) {
            assertThat(call.getParameterMetaData().getParameterTypeName(1)).isEqualTo("_int4");
            for (int i = 0; i < EXECUTIONS; i++) {
                call.setArray(1, connection.createArrayOf("int4", new Integer[] {1, 2, i}));
                try (ResultSet rows = call.executeQuery()) {
                    assertThat(rows(rows)).containsExactly(String.valueOf(3 + i));
                }
            }
        }
    }

    @Test
    void textsAreInstantsOfTheSession() throws SQLException {
        update("SET TimeZone = 'Europe/Oslo'");
        update("CALL remember(1, NULL, NULL, '2024-07-01 12:00:00', NULL, NULL, 0, NULL, NULL)");
        assertThat(rows("SELECT moment FROM memory")).containsExactly("2024-07-01 12:00:00+02");
        assertThat(rows("SELECT * FROM remembered(1)"))
                .singleElement()
                .asString()
                .contains("2024-07-01 12:00:00+02");
    }

    @Test
    void aCallOfJavaIsATransactionByItself() throws SQLException {
        assertFails(() -> update("CALL withdraw(1, 1); CALL withdraw(2, 1)"), "25001");
        connection.setAutoCommit(false);
        for (String sql :
                new String[] {"CALL withdraw(1, 1)", "SELECT * FROM refill(1)", "SELECT * FROM remembered(1)"}) {
            try (Statement statement = connection.createStatement()) {
                assertFails(() -> statement.execute(sql), "25001");
            }
            connection.rollback();
        }
        connection.setReadOnly(true);
        assertFails(() -> rows("SELECT * FROM remembered(1)"), "25001");
        connection.rollback();
        connection.setReadOnly(false);
        connection.setAutoCommit(true);
        assertThat(rows("SELECT amount FROM purse")).containsExactly("100", "100");
    }

    @Test
    void aCallOfOneStatementIsPartOfATransaction() throws SQLException {
        update("CALL refill(1); CALL refill(2)");
        assertThat(rows("SELECT amount FROM purse")).containsExactly("2", "2");
        connection.setAutoCommit(false);
        update("CALL refill(3)");
        assertThat(rows("CALL purses(3)")).containsExactly("1,3", "2,3");
        connection.rollback();
        assertThat(rows("SELECT * FROM purses(2)")).containsExactly("1,2", "2,2");
        try (PreparedStatement call = connection.prepareStatement("CALL refill(?)")) {
            for (int i = 1; i <= EXECUTIONS; i++) {
                call.setLong(1, i);
                call.addBatch();
            }
            call.executeBatch();
        }
        connection.commit();
        connection.setReadOnly(true);
        assertThat(rows("CALL purses(3)")).containsExactly("1," + EXECUTIONS, "2," + EXECUTIONS);
        assertFails(() -> update("CALL refill(1)"), "25006");
        connection.rollback();
        connection.setReadOnly(false);
        connection.setAutoCommit(true);
    }

    @Test
    void whatCannotBeCalledIsRefused() {
        assertFails(() -> update("CALL nothing(1)"), "42883");
        assertFails(() -> rows("SELECT * FROM nothing(1)"), "42883");
        assertFails(() -> update("CALL refill(1, 2)"), "07001");
        assertFails(() -> update("CALL refill('many')"), "22P02");
        assertFails(() -> update("CALL refill('1.6')"), "22P02");
        assertFails(() -> update("CALL refill(now())"), "0A000");
        assertFails(() -> rows("SELECT id FROM purses(1)"), "0A000");
        assertFails(() -> rows("SELECT purses(1)"), "0A000");
        assertFails(() -> rows("SELECT * FROM purse, purses(1)"), "0A000");
        assertFails(() -> rows("SELECT id FROM nothing(1)"), "42883");
        assertFails(() -> rows("SELECT * FROM purses(1) LIMIT 1"), "0A000");
        assertFails(() -> rows("CALL withdraw(1, 1000)"), "45000");
    }

    @Test
    void rowsOfAProcedureAreCopied() throws Exception {
        StringWriter copied = new StringWriter();
        try (Connection copying = connect("")) {
            copying.unwrap(PGConnection.class).getCopyAPI().copyOut("COPY (SELECT * FROM purses(1)) TO STDOUT", copied);
        }
        assertThat(copied.toString()).isEqualTo("1\t100\n2\t100\n");
    }
}
