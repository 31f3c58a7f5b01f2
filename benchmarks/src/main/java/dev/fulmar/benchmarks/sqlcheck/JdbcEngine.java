package dev.fulmar.benchmarks.sqlcheck;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Another engine, in this process, as a reference. Its driver is on the class path of experiments only. */
final class JdbcEngine implements SqlEngine {
    private static final String SUBQUERY_OF_SEVERAL_ROWS = "90053";

    /** The change, its verb, its table, and what it returns. */
    private static final Pattern RETURNING =
            Pattern.compile("((INSERT INTO|UPDATE|DELETE FROM) (\\w+).*) RETURNING (.*)", Pattern.DOTALL);

    static final String POSTGRES = "postgresql";

    private final String name;
    private final Connection connection;
    private final UnaryOperator<String> dialect;
    private final JdbcAnswers.Types types;

    private JdbcEngine(String name, Connection connection, UnaryOperator<String> dialect, JdbcAnswers.Types types) {
        this.name = name;
        this.connection = connection;
        this.dialect = dialect;
        this.types = types;
    }

    /**
     * The references whose drivers are there; DuckDB is none that a build brings along.
     *
     * @param number tells apart those of this process
     * @param postgres the server that is there; null for none
     */
    static List<JdbcEngine> references(int number, @Nullable PostgresCluster postgres) throws SQLException {
        List<JdbcEngine> found = new ArrayList<>();
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
        if (postgres != null) {
            found.add(open(postgres, number));
        }
        return found;
    }

    private static JdbcEngine open(PostgresCluster postgres, int number) throws SQLException {
        Connection connection = postgres.connectToNew("sqlcheck" + number);
        try (Statement statement = connection.createStatement()) {
            for (String each : PostgresDialect.preparation()) {
                statement.execute(each);
            }
        }
        return new JdbcEngine(POSTGRES, connection, PostgresDialect::translate, JdbcAnswers.Types.UNTOLD);
    }

    /** A database of the server in which nothing is defined anew: a statement means what it means to its clients. */
    static JdbcEngine unchanged(PostgresCluster postgres, int number) throws SQLException {
        return new JdbcEngine(
                POSTGRES, postgres.connectToNew("unchanged" + number), PostgresDialect::named, JdbcAnswers.Types.TOLD);
    }

    /** Whether the driver of PostgreSQL is on the class path. */
    static boolean canReachPostgres() {
        return hasDriver("jdbc:postgresql://127.0.0.1/sqlcheck");
    }

    /** Its name and version. */
    String description() {
        try {
            return name + " " + connection.getMetaData().getDatabaseProductVersion();
        } catch (SQLException e) {
            throw new IllegalStateException("the reference does not tell its version", e);
        }
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
        return new JdbcEngine(
                name, DriverManager.getConnection(url, "sa", ""), UnaryOperator.identity(), JdbcAnswers.Types.UNTOLD);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<String> creation(GeneratedTable table) {
        return List.of(table.creation());
    }

    /** PostgreSQL has RETURNING; H2 has a query of what a change does; others make the change, and do not tell. */
    @Override
    public Answer execute(String sql) {
        Matcher returning = RETURNING.matcher(sql);
        if (!returning.matches() || name.equals(POSTGRES)) {
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
            return JdbcAnswers.of(statement, dialect.apply(sql), types);
        } catch (SQLException e) {
            return Answer.error(outcome(e.getSQLState()), e.getMessage());
        }
    }

    private static Answer.Outcome outcome(@Nullable String state) {
        if (state == null) {
            return Answer.Outcome.DEFECT;
        }
        return JdbcAnswers.ofTheData(state, SUBQUERY_OF_SEVERAL_ROWS).orElse(Answer.Outcome.REFUSED);
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
