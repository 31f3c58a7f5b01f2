package dev.fulmar.it.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A statement of a tool with the rows that it yields. A file has one behind another: lines that begin with #, the
 * statement, a line of hyphens, and the rows.
 */
record RecordedStatement(String title, String sql, String rows) {
    static List<RecordedStatement> read(String resource) throws IOException {
        String script;
        try (InputStream stream = RecordedStatement.class.getResourceAsStream(resource)) {
            script = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
        List<RecordedStatement> statements = new ArrayList<>();
        for (String block : script.split("\n====\n", -1)) {
            if (!block.isBlank()) {
                int first = 0;
                while (block.startsWith("#", first)) {
                    first = block.indexOf('\n', first) + 1;
                }
                int middle = block.indexOf("\n----\n");
                statements.add(new RecordedStatement(
                        block.substring(0, first).strip(),
                        block.substring(first, middle),
                        block.substring(middle + 6)));
            }
        }
        return statements;
    }

    /** The rows that are left, each as its values with bars between them. */
    static List<String> rows(ResultSet result) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (result) {
            while (result.next()) {
                List<String> values = new ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    String value = result.getString(i);
                    values.add(value == null ? "NULL" : value);
                }
                rows.add(String.join("|", values));
            }
        }
        return rows;
    }
}
