package dev.fulmar.benchmarks.sqlcheck;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Another engine, in this process, as a reference. Its driver is on the class path of experiments only. */
final class JdbcEngine implements SqlEngine {
    private static final String SUBQUERY_OF_SEVERAL_ROWS = "90053";

    /** The change, its verb, its table, and what it returns. */
    private static final Pattern RETURNING =
            Pattern.compile("((INSERT INTO|UPDATE|DELETE FROM) (\\w+).*) RETURNING (.*)", Pattern.DOTALL);

    private final String name;
    private final Connection connection;

    private JdbcEngine(String name, Connection connection) {
        this.name = name;
        this.connection = connection;
    }

    /**
     * The references whose drivers are there; DuckDB is none that a build brings along.
     *
     * @param number tells apart those of this process
     */
    static List<SqlEngine> references(int number) throws SQLException {
        List<SqlEngine> found = new ArrayList<>();
        if (hasDriver("jdbc:hsqldb:mem:sqlcheck")) {
            JdbcEngine hsqldb = open("hsqldb", "jdbc:hsqldb:mem:sqlcheck" + number + ";shutdown=true");
            hsqldb.execute("SET DATABASE COLLATION SQL_TEXT NO PAD");
            found.add(hsqldb);
        }
        if (hasDriver("jdbc:h2:mem:sqlcheck")) {
            found.add(open("h2", "jdbc:h2:mem:sqlcheck" + number));
        }
        if (hasDriver("jdbc:duckdb:")) {
            JdbcEngine duckdb = open("duckdb", "jdbc:duckdb:");
            duckdb.execute("SET threads = 1");
            duckdb.execute("SET integer_division = true");
            found.add(duckdb);
        }
        return found;
    }

    private static boolean hasDriver(String url) {
        return DriverManager.drivers().anyMatch(driver -> {
            try {
                return driver.acceptsURL(url);
            } catch (SQLException e) {
                throw new IllegalStateException("a driver cannot say what it accepts", e);
            }
        });
    }

    private static JdbcEngine open(String name, String url) throws SQLException {
        return new JdbcEngine(name, DriverManager.getConnection(url, "sa", ""));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<String> creation(GeneratedTable table) {
        return List.of(table.creation());
    }

    /** H2 has a query of what a change does; others make the change, and do not tell. */
    @Override
    public Answer execute(String sql) {
        Matcher returning = RETURNING.matcher(sql);
        if (!returning.matches()) {
            return run(sql);
        }
        if (name.equals("h2")) {
            String table = returning.group(2).startsWith("DELETE") ? "OLD TABLE (" : "FINAL TABLE (";
            return run(
                    "SELECT " + returning.group(4) + " FROM " + table + returning.group(1) + ") " + returning.group(3));
        }
        Answer answer = run(returning.group(1));
        return answer.isResult() ? Answer.error(Answer.Outcome.REFUSED, "there is no RETURNING") : answer;
    }

    private Answer run(String sql) {
        try (Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return Answer.count(statement.getUpdateCount());
            }
            try (ResultSet result = statement.getResultSet()) {
                return Answer.rows(rows(result));
            }
        } catch (SQLException e) {
            return Answer.error(outcome(e.getSQLState()), e.getMessage());
        }
    }

    private static List<String> rows(ResultSet result) throws SQLException {
        ResultSetMetaData shape = result.getMetaData();
        int columns = shape.getColumnCount();
        List<String> rows = new ArrayList<>();
        while (result.next()) {
            StringBuilder row = new StringBuilder();
            for (int column = 1; column <= columns; column++) {
                // What is a DOUBLE elsewhere, a literal or an average, is a DECFLOAT in H2, which has more digits.
                Object value = shape.getColumnTypeName(column).equals("DECFLOAT")
                        ? result.getObject(column, Double.class)
                        : result.getObject(column);
                row.append(column == 1 ? "" : " | ").append(text(value));
            }
            rows.add(row.toString());
        }
        return rows;
    }

    private static String text(@Nullable Object value) {
        return switch (value) {
            case Timestamp time -> "TIMESTAMP " + time.toLocalDateTime();
            case Date date -> date.toLocalDate().toString();
            case BigInteger number -> Answer.text(new BigDecimal(number));
            case Byte number -> Answer.text(BigDecimal.valueOf(number));
            case null, default -> Answer.text(value);
        };
    }

    private static Answer.Outcome outcome(@Nullable String state) {
        if (state == null) {
            return Answer.Outcome.DEFECT;
        }
        if (state.startsWith("22") || state.startsWith("21") || state.equals(SUBQUERY_OF_SEVERAL_ROWS)) {
            return Answer.Outcome.DATA_ERROR;
        }
        return state.startsWith("23") ? Answer.Outcome.CONSTRAINT : Answer.Outcome.REFUSED;
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("the reference does not close", e);
        }
    }
}
