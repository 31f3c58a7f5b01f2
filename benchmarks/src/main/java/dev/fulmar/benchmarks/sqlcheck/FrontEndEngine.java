package dev.fulmar.benchmarks.sqlcheck;

import dev.fulmar.benchmarks.run.LocalDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A node of this process, as a client of PostgreSQL's protocol and driver meets it. */
final class FrontEndEngine implements SqlEngine {
    /** Classes of errors that say that a statement is not understood, not supported, or too much. */
    private static final List<String> REFUSALS = List.of("42", "0A", "54");

    private final LocalDatabase database;
    private final Connection connection;
    private final String name;

    /**
     * @param settings of the driver, as its URLs have them
     * @param plans of this engine and others that get the same statements
     */
    FrontEndEngine(int partitions, String settings, SharedPlans plans) throws SQLException {
        database = FulmarEngine.start(partitions, plans);
        name = "fulmar-" + partitions + "-" + settings;
        try {
            connection = DriverManager.getConnection(
                    "jdbc:postgresql://127.0.0.1:" + database.postgresPort() + "/fulmar?user=fulmar&" + settings);
        } catch (SQLException e) {
            database.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<String> creation(GeneratedTable table) {
        return table.fulmarCreation();
    }

    @Override
    public Answer execute(String sql) {
        try (Statement statement = connection.createStatement()) {
            return JdbcAnswers.of(statement, PostgresDialect.named(sql), JdbcAnswers.Types.TOLD);
        } catch (SQLException e) {
            return Answer.error(outcome(e.getSQLState()), e.getSQLState() + " " + e.getMessage());
        }
    }

    private static Answer.Outcome outcome(String state) {
        return JdbcAnswers.ofTheData(state, "")
                .orElse(REFUSALS.stream().anyMatch(state::startsWith) ? Answer.Outcome.REFUSED : Answer.Outcome.DEFECT);
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("the driver does not close its connection", e);
        } finally {
            database.close();
        }
    }
}
