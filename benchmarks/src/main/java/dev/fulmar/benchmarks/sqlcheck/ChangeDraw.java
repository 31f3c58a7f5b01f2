package dev.fulmar.benchmarks.sqlcheck;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Draws statements that change a table. */
final class ChangeDraw {
    private final Draw draw;
    private final List<GeneratedTable> tables;
    private final QueryDraw queries;

    ChangeDraw(Draw draw, List<GeneratedTable> tables) {
        this.draw = draw;
        this.tables = tables;
        this.queries = new QueryDraw(draw, tables);
    }

    /** A statement and the table that it changes. */
    record Change(GeneratedTable table, Phrase phrase) {}

    Change statement() {
        GeneratedTable table = draw.pick(tables);
        Phrase phrase = switch (draw.between(0, 14)) {
            case 14 ->
                Phrase.of("", "INSERT INTO", table.name(), draw.oneIn(2) ? "DEFAULT VALUES" : allDefaults(table));
            case 0, 1 -> insertion(table);
            case 2, 13 -> mixedInsertion(table);
            case 3 -> copy(table);
            case 12 -> insertionIfAbsent(table);
            case 4, 5 -> Phrase.of("", "DELETE FROM", table.name(), condition(table));
            case 6, 7 -> table.keys() > 0 ? merge(table) : insertion(table);
            default -> update(table);
        };
        boolean returns = !phrase.text().startsWith("MERGE") && draw.oneIn(6);
        return new Change(table, returns ? Phrase.of("", phrase, returning(table)) : phrase);
    }

    private Phrase returning(GeneratedTable table) {
        List<Phrase> values = new ArrayList<>();
        for (int i = draw.between(1, 3); i > 0; i--) {
            values.add(queries.expressions().draw(draw.pick(table.columns()).type(), scope(table), 1));
        }
        return Phrase.clause("RETURNING", new Phrase("", false, ", ", List.copyOf(values)));
    }

    /** The rows of a query by key: those that are there are changed, the others come in. */
    private Phrase merge(GeneratedTable table) {
        List<ValueType> types =
                table.columns().stream().map(GeneratedTable.Column::type).toList();
        List<String> names = new ArrayList<>();
        List<Scope.Name> known = new ArrayList<>(table.names(table.name()));
        for (int i = 0; i < types.size(); i++) {
            names.add("S" + i);
            known.add(new Scope.Name("S.S" + i, types.get(i)));
        }
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < table.keys(); i++) {
            keys.add(table.name() + "." + table.columns().get(i).name() + " = S.S" + i);
        }
        Phrase source = Phrase.of(
                "",
                "MERGE INTO",
                table.name(),
                "USING (",
                queries.selection(Scope.empty(), types).phrase(),
                ") AS S (" + String.join(", ", names) + ") ON " + String.join(" AND ", keys));
        List<Phrase> assignments = assignments(table, new Scope(known, List.of()));
        Phrase matched = assignments.isEmpty()
                ? Phrase.of("", "")
                : Phrase.clause("WHEN MATCHED THEN UPDATE SET", Phrase.list(assignments));
        Phrase unmatched = Phrase.clause("WHEN NOT MATCHED THEN INSERT VALUES (S." + String.join(", S.", names) + ")");
        return Phrase.of("", source, matched, unmatched);
    }

    private Phrase insertion(GeneratedTable table) {
        List<Phrase> rows = new ArrayList<>();
        for (int i = draw.between(1, 3); i > 0; i--) {
            List<Object> values = new ArrayList<>();
            for (GeneratedTable.Column column : table.columns()) {
                Phrase value = column.nullable() && draw.oneIn(4)
                        ? Phrase.of("", "NULL")
                        : queries.expressions().draw(column.type(), Scope.empty(), draw.oneIn(3) ? 1 : 0);
                values.add(value);
            }
            rows.add(Phrase.of("", "(", new Phrase("", false, ", ", values), ")"));
        }
        return Phrase.of("", "INSERT INTO", table.name(), "VALUES", Phrase.list(rows));
    }

    /** Rows whose values of one column are written in several ways: as text, typed, NULL, DEFAULT. */
    private Phrase mixedInsertion(GeneratedTable table) {
        List<Phrase> rows = new ArrayList<>();
        for (int i = draw.between(2, 4); i > 0; i--) {
            List<Object> values = new ArrayList<>();
            for (int column = 0; column < table.columns().size(); column++) {
                values.add(Phrase.of("", value(table.columns().get(column), column < table.keys())));
            }
            rows.add(Phrase.of("", "(", new Phrase("", false, ", ", values), ")"));
        }
        return Phrase.of("", "INSERT INTO", table.name(), "VALUES", Phrase.list(rows));
    }

    private static String allDefaults(GeneratedTable table) {
        return "VALUES ("
                + String.join(", ", Collections.nCopies(table.columns().size(), "DEFAULT")) + ")";
    }

    private String value(GeneratedTable.Column column, boolean isKey) {
        if (isKey) {
            return column.type() == ValueType.INTEGER
                    ? Integer.toString(draw.between(-99, 999))
                    : column.type().drawLiteral(draw);
        }
        boolean mayBeLeftOut = column.nullable() || column.declaration().contains("DEFAULT");
        return switch (draw.between(0, 4)) {
            case 0, 1 -> column.type().drawUntyped(draw);
            case 2 -> column.nullable() ? "NULL" : column.type().drawUntyped(draw);
            case 3 -> mayBeLeftOut ? "DEFAULT" : column.type().drawLiteral(draw);
            default ->
                column.type() == ValueType.REAL && draw.oneIn(4)
                        ? "1E39"
                        : column.type().drawLiteral(draw);
        };
    }

    /** A row that comes in unless there is one like it. */
    private Phrase insertionIfAbsent(GeneratedTable table) {
        List<Object> values = new ArrayList<>();
        for (GeneratedTable.Column column : table.columns()) {
            values.add(Phrase.of(column.type(), column.type().drawLiteral(draw)));
        }
        GeneratedTable.Column first = table.columns().getFirst();
        String known = ((Phrase) values.getFirst()).text();
        String absent = "WHERE NOT EXISTS (SELECT * FROM " + table.name() + " AS P WHERE P." + first.name() + " = ";
        if (draw.oneIn(2)) {
            return Phrase.of(
                    "",
                    "INSERT INTO",
                    table.name(),
                    "SELECT",
                    new Phrase("", false, ", ", values),
                    absent + known + ")");
        }
        values.set(0, "S.V");
        return Phrase.of(
                "",
                "INSERT INTO",
                table.name(),
                "SELECT",
                new Phrase("", false, ", ", values),
                "FROM (VALUES (" + known + ")) AS S (V)",
                absent + "S.V)");
    }

    private Phrase copy(GeneratedTable table) {
        List<ValueType> types =
                table.columns().stream().map(GeneratedTable.Column::type).toList();
        return Phrase.of(
                "",
                "INSERT INTO",
                table.name(),
                queries.selection(Scope.empty(), types).phrase());
    }

    private Phrase update(GeneratedTable table) {
        List<Phrase> assignments = assignments(table, scope(table));
        return assignments.isEmpty()
                ? insertion(table)
                : Phrase.of("", "UPDATE", table.name(), "SET", Phrase.list(assignments), condition(table));
    }

    private List<Phrase> assignments(GeneratedTable table, Scope scope) {
        List<Phrase> assignments = new ArrayList<>();
        for (int i = 0; i < table.columns().size(); i++) {
            GeneratedTable.Column column = table.columns().get(i);
            boolean changeable = i >= table.keys() && i != table.partitioning();
            if (changeable && (assignments.isEmpty() || draw.oneIn(3))) {
                Phrase value = queries.expressions().draw(column.type(), scope, 2);
                assignments.add(Phrase.of("", column.name(), "=", value));
            }
        }
        return assignments;
    }

    private Phrase condition(GeneratedTable table) {
        return Phrase.clause("WHERE", queries.expressions().condition(scope(table), 2));
    }

    private static Scope scope(GeneratedTable table) {
        return new Scope(table.names(table.name()), List.of());
    }
}
