package dev.fulmar.benchmarks.sqlcheck;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Set of SQL engines with the same tables and rows: executes each statement on all of them, so that trials compare the
 * answers.
 */
final class Bench {
    private static final String BETWEEN_VALUES = " \\| ";

    private final List<SqlEngine> engines;
    private List<GeneratedTable> present = List.of();

    Bench(List<SqlEngine> engines) {
        this.engines = List.copyOf(engines);
    }

    /** Replaces all tables; {@code rows} by table, as the text between the parentheses of VALUES. */
    void prepare(List<GeneratedTable> tables, Map<String, List<String>> rows) {
        for (SqlEngine engine : engines) {
            for (GeneratedTable table : present) {
                must(engine, "DROP TABLE " + table.name());
            }
            for (GeneratedTable table : tables) {
                engine.creation(table).forEach(statement -> must(engine, statement));
                List<String> ofTable = rows.getOrDefault(table.name(), List.of());
                if (!ofTable.isEmpty()) {
                    must(engine, table.insertion(ofTable));
                }
            }
        }
        present = List.copyOf(tables);
    }

    private static void must(SqlEngine engine, String statement) {
        Answer answer = engine.execute(statement);
        if (!answer.isResult()) {
            throw new IllegalStateException(engine.name() + " refused " + statement + ": " + answer.message());
        }
    }

    /** The answers of all, in the order of the engines. */
    List<Answer> ask(String statement) {
        return engines.stream().map(engine -> engine.execute(statement)).toList();
    }

    /** The rows of the tables in the first engine, as {@link #prepare} wants them. */
    List<String> contents(GeneratedTable table) {
        List<String> rows = new ArrayList<>();
        for (String row :
                engines.getFirst().execute("SELECT * FROM " + table.name()).rows()) {
            String[] values = row.split(BETWEEN_VALUES, -1);
            List<String> literals = new ArrayList<>();
            for (int i = 0; i < values.length; i++) {
                literals.add(literal(values[i], table.columns().get(i).type()));
            }
            rows.add(String.join(", ", literals));
        }
        return rows;
    }

    private static String literal(String value, ValueType type) {
        if (value.equals("NULL")) {
            return value;
        }
        return switch (type) {
            case INTEGER, DECIMAL, TEXT, CHARACTER, BOOLEAN -> value;
            case DOUBLE, REAL -> value + "E0";
            case DATE -> "DATE '" + value + "'";
            case TIME -> "TIME '" + (value.length() == "00:00".length() ? value + ":00" : value) + "'";
            case TIMESTAMP -> {
                String time = value.substring("TIMESTAMP ".length()).replace('T', ' ');
                yield "TIMESTAMP '" + (time.length() == "2024-01-01 00:00".length() ? time + ":00" : time) + "'";
            }
        };
    }
}
