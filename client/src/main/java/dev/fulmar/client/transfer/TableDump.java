package dev.fulmar.client.transfer;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.data.ResultColumn;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a table as a CSV file, page by page in the order of its primary key, so that neither side holds much of it.
 * Each page is of one moment; a table without primary key is one page.
 */
final class TableDump {
    private static final int PAGE_ROWS = 5_000;
    private static final char SEPARATOR = ',';
    /** Stands for all columns that are not generated, so that the file can be loaded again. */
    private static final String COLUMNS = "\"#WRITTEN\"";

    private final FulmarClient client;
    private final String table;
    private final List<String> key;
    private final TransferProgress progress;

    /** @param key columns of the primary key */
    TableDump(FulmarClient client, String table, List<String> key, TransferProgress progress) {
        this.client = client;
        this.table = table;
        this.key = List.copyOf(key);
        this.progress = progress;
    }

    long write(Path file) throws IOException {
        long rows = 0;
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            List<@Nullable Object> last = new ArrayList<>();
            boolean more = true;
            while (more) {
                ResultTable page =
                        client.execute(query(!last.isEmpty()), arguments(last)).table();
                if (rows == 0 && last.isEmpty()) {
                    List<String> names =
                            page.columns().stream().map(ResultColumn::name).toList();
                    out.write(CsvText.header(names, SEPARATOR));
                    out.write('\n');
                }
                while (page.next()) {
                    out.write(CsvText.line(page, SEPARATOR));
                    out.write('\n');
                    rows++;
                    last = key(page, last);
                }
                progress.report(table, rows, 0);
                more = !key.isEmpty() && page.rowCount() == PAGE_ROWS;
            }
        }
        return rows;
    }

    private List<@Nullable Object> key(ResultTable row, List<@Nullable Object> values) {
        values.clear();
        key.forEach(column -> values.add(row.getObject(row.column(column))));
        return values;
    }

    private String query(boolean behind) {
        if (key.isEmpty()) {
            return "SELECT " + COLUMNS + " FROM " + quoted(table);
        }
        String order = String.join(", ", key.stream().map(TableDump::quoted).toList());
        return "SELECT " + COLUMNS + " FROM " + quoted(table) + (behind ? " WHERE " + behind() : "") + " ORDER BY "
                + order + " LIMIT " + PAGE_ROWS;
    }

    /**
     * Behind the last key: {@code a >= ? AND (a > ? OR a = ? AND (b > ? OR ...))}, where the first condition is one for
     * an index.
     */
    private String behind() {
        StringBuilder condition = new StringBuilder(quoted(key.getFirst())).append(" >= ? AND (");
        for (int i = 0; i < key.size(); i++) {
            boolean isLast = i == key.size() - 1;
            condition.append(quoted(key.get(i))).append(" > ?");
            condition.append(isLast ? "" : " OR (" + quoted(key.get(i)) + " = ? AND (");
        }
        return condition.append("))".repeat(key.size() - 1)).append(')').toString();
    }

    private @Nullable Object[] arguments(List<@Nullable Object> last) {
        List<@Nullable Object> arguments = new ArrayList<>();
        for (int i = 0; i < last.size(); i++) {
            if (i == 0) {
                arguments.add(last.getFirst());
            }
            arguments.add(last.get(i));
            if (i < last.size() - 1) {
                arguments.add(last.get(i));
            }
        }
        return arguments.toArray();
    }

    static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
