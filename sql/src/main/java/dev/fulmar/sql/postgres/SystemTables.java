package dev.fulmar.sql.postgres;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The tables and views of PostgreSQL 15 that are known here, and its types. */
public final class SystemTables {
    /** All of them. */
    public static final List<SystemTable> ALL = tables();

    static final List<SystemType> TYPES = types();

    private SystemTables() {}

    private static List<SystemTable> tables() {
        List<SystemTable> tables = new ArrayList<>();
        for (String line : lines("system-tables.txt")) {
            String[] parts = line.split(" ", -1);
            List<SystemTable.Column> columns = new ArrayList<>();
            for (String column : parts[4].split(",", -1)) {
                int colon = column.indexOf(':');
                columns.add(new SystemTable.Column(column.substring(0, colon), column.substring(colon + 1)));
            }
            boolean isCatalog = parts[2].equals("pg_catalog");
            tables.add(new SystemTable(
                    isCatalog ? SystemTable.CATALOG : SystemTable.INFORMATION,
                    parts[3],
                    Integer.parseInt(parts[0]),
                    parts[1].equals("v"),
                    columns));
        }
        return List.copyOf(tables);
    }

    private static List<SystemType> types() {
        return lines("types.txt").stream().map(SystemType::of).toList();
    }

    private static List<String> lines(String resource) {
        try (InputStream stream = SystemTables.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException("the resource " + resource + " is missing");
            }
            BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
            return reader.lines().filter(line -> !line.startsWith("#")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
