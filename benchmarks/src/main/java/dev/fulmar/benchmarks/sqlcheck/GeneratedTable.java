package dev.fulmar.benchmarks.sqlcheck;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A table of the generated schema.
 *
 * @param keys number of first columns that are the primary key; 0 for none
 * @param partitioning position of the partitioning column; {@link #REPLICATED} or {@link #BY_ROW} if there is none
 * @param indexes column lists of secondary indexes
 */
record GeneratedTable(String name, List<Column> columns, int keys, int partitioning, List<String> indexes) {
    /** All rows are on every partition. */
    static final int REPLICATED = -1;

    /** Rows are spread by hidden row ids. */
    static final int BY_ROW = -2;

    private static final int NULLABLE = 5;
    private static final int MOST_ROWS = 12;

    /** A column. */
    record Column(String name, ValueType type, String declaration, boolean nullable) {}

    GeneratedTable {
        columns = List.copyOf(columns);
        indexes = List.copyOf(indexes);
    }

    static GeneratedTable draw(String name, Draw draw) {
        List<Column> columns = new ArrayList<>();
        int keys = draw.oneIn(5) ? 0 : draw.between(1, 2);
        int count = draw.between(2, 6) + (keys > 0 ? 1 : 0);
        for (int i = 0; i < count; i++) {
            ValueType type = i == 0
                    ? draw.pick(
                            ValueType.INTEGER,
                            ValueType.INTEGER,
                            ValueType.INTEGER,
                            ValueType.TEXT,
                            ValueType.CHARACTER)
                    : draw.pick(
                            ValueType.INTEGER,
                            ValueType.INTEGER,
                            ValueType.TEXT,
                            ValueType.TEXT,
                            ValueType.CHARACTER,
                            ValueType.DECIMAL,
                            ValueType.DOUBLE,
                            ValueType.REAL,
                            ValueType.BOOLEAN,
                            ValueType.DATE,
                            ValueType.TIME,
                            ValueType.TIMESTAMP);
            if (i < keys && !type.canBeKey()) {
                type = ValueType.INTEGER;
            }
            // The first column can always say where a row belongs.
            boolean nullable = i > 0 && i >= keys && draw.between(1, NULLABLE) > 1;
            String standard = i >= keys && draw.oneIn(4) ? " DEFAULT " + type.drawDefault(draw) : "";
            columns.add(new Column("C" + i, type, type.drawDeclaration(draw) + standard, nullable));
        }
        int partitioning = partitioning(columns, keys, draw);
        List<String> indexes = new ArrayList<>();
        for (int i = draw.between(0, 2); i > 0; i--) {
            String first = draw.pick(columns).name();
            String second = draw.pick(columns).name();
            indexes.add(
                    first.equals(second) || draw.oneIn(2)
                            ? first + (draw.oneIn(4) ? " DESC" : "")
                            : first + ", " + second);
        }
        return new GeneratedTable(name, columns, keys, partitioning, indexes);
    }

    private static int partitioning(List<Column> columns, int keys, Draw draw) {
        if (draw.oneIn(4)) {
            return REPLICATED;
        }
        if (keys == 0 && draw.oneIn(2)) {
            return BY_ROW;
        }
        if (keys > 0) {
            return draw.between(0, keys - 1);
        }
        int column = draw.between(0, columns.size() - 1);
        boolean allowed =
                columns.get(column).type().canBeKey() && !columns.get(column).nullable();
        return allowed ? column : 0;
    }

    /** CREATE TABLE as every engine understands it. */
    String creation() {
        return creation(keys > 0);
    }

    private String creation(boolean withKey) {
        String list = columns.stream()
                .map(column -> column.name() + " " + column.declaration() + (column.nullable() ? "" : " NOT NULL"))
                .collect(Collectors.joining(", "));
        String key = withKey
                ? ", PRIMARY KEY ("
                        + columns.subList(0, keys).stream().map(Column::name).collect(Collectors.joining(", ")) + ")"
                : "";
        return "CREATE TABLE " + name + " (" + list + key + ")";
    }

    private String undivided() {
        return switch (partitioning) {
            case REPLICATED -> " REPLICATED";
            case BY_ROW -> " PARTITION ON ROW";
            default -> "";
        };
    }

    /** The statements that make the table in Fulmar. */
    List<String> fulmarCreation() {
        List<String> statements = new ArrayList<>(List.of(creation() + undivided()));
        if (partitioning >= 0) {
            statements.add("PARTITION TABLE " + name + " ON COLUMN "
                    + columns.get(partitioning).name());
        }
        for (int i = 0; i < indexes.size(); i++) {
            statements.add("CREATE INDEX " + name + "_I" + i + " ON " + name + " (" + indexes.get(i) + ")");
        }
        return statements;
    }

    /** The same table without any index. */
    List<String> bareCreation() {
        List<String> statements = new ArrayList<>(List.of(creation(false) + undivided()));
        if (partitioning >= 0) {
            statements.add("PARTITION TABLE " + name + " ON COLUMN "
                    + columns.get(partitioning).name());
        }
        return statements;
    }

    /** Rows as the text between the parentheses of VALUES; those that share a key are left out. */
    List<String> drawRows(Draw draw) {
        int count = draw.oneIn(7) ? 0 : draw.between(1, MOST_ROWS);
        List<String> rows = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<String> values = new ArrayList<>();
            for (Column column : columns) {
                values.add(
                        column.nullable() && draw.oneIn(4)
                                ? "NULL"
                                : column.type().drawLiteral(draw));
            }
            String key = keys == 0 ? Integer.toString(i) : key(values);
            if (!seen.contains(key)) {
                seen.add(key);
                rows.add(String.join(", ", values));
            }
        }
        return rows;
    }

    /** Two of a CHAR that differ by blanks at the end are one key. */
    private String key(List<String> values) {
        List<String> key = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
            boolean isPadded = columns.get(i).type() == ValueType.CHARACTER;
            key.add(isPadded ? values.get(i).replace(" ", "") : values.get(i));
        }
        return String.join(",", key);
    }

    String insertion(List<String> rows) {
        return "INSERT INTO " + name + " VALUES "
                + rows.stream().map(row -> "(" + row + ")").collect(Collectors.joining(", "));
    }

    List<Scope.Name> names(String alias) {
        return columns.stream()
                .map(column -> new Scope.Name(alias + "." + column.name(), column.type()))
                .toList();
    }
}
