package dev.fulmar.benchmarks.tpch;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** TPC-H's tables in H2, whose driver is on the class path of experiments only. */
public final class TpchReference implements AutoCloseable {
    private final Connection connection;

    public TpchReference() throws SQLException {
        connection = DriverManager.getConnection("jdbc:h2:mem:tpch", "sa", "");
        for (String statement : TpchScripts.schema()) {
            try (Statement creation = connection.createStatement()) {
                creation.execute(statement);
            }
        }
    }

    public void load(TpchData data) throws SQLException {
        for (String table : TpchData.TABLES) {
            List<Object[]> rows = new ArrayList<>();
            data.rows(table, rows::add);
            String values = String.join(", ", Collections.nCopies(rows.getFirst().length, "?"));
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO " + table + " VALUES (" + values + ")")) {
                for (Object[] row : rows) {
                    for (int i = 0; i < row.length; i++) {
                        insert.setObject(i + 1, row[i]);
                    }
                    insert.addBatch();
                }
                insert.executeBatch();
            }
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("ANALYZE");
        }
    }

    public TpchRows query(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            TpchRows rows = new TpchRows();
            while (result.next()) {
                List<@Nullable Object> row = new ArrayList<>();
                for (int column = 1; column <= columns; column++) {
                    row.add(result.getObject(column));
                }
                rows.add(row);
            }
            return rows;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
