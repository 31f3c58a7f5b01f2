package dev.fulmar.benchmarks.bulk;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A client in a process of its own, with a small heap, that reads all documents by PostgreSQL's JDBC driver. */
final class BulkReader {
    /** Before the rows, those that were not as they were written, and the nanoseconds. */
    static final String DONE = "done ";

    private static final int FETCH_ROWS = 1_000;

    private BulkReader() {}

    /** The argument is the address of the database. */
    public static void main(String[] arguments) throws SQLException {
        long begun = System.nanoTime();
        long rows = 0;
        long wrong = 0;
        try (Connection connection = DriverManager.getConnection(arguments[0], "ann", "");
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false); // else the driver takes all rows at once
            connection.setReadOnly(true); // else the node holds all rows until the end
            statement.setFetchSize(FETCH_ROWS);
            try (ResultSet result = statement.executeQuery("SELECT id, body FROM document")) {
                while (result.next()) {
                    rows++;
                    wrong += result.getString(2).equals(BulkRows.body(result.getLong(1))) ? 0 : 1;
                }
            }
        }
        System.out.println(DONE + rows + " " + wrong + " " + (System.nanoTime() - begun));
    }
}
