package dev.fulmar.benchmarks.sqlcheck;

import java.util.ArrayList;
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
        Phrase phrase = switch (draw.between(0, 9)) {
            case 0, 1, 2 -> insertion(table);
            case 3 -> copy(table);
            case 4, 5 -> Phrase.of("", "DELETE FROM", table.name(), condition(table));
            default -> update(table);
        };
        return new Change(table, phrase);
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
        List<Phrase> assignments = new ArrayList<>();
        for (int i = 0; i < table.columns().size(); i++) {
            GeneratedTable.Column column = table.columns().get(i);
            boolean changeable = i >= table.keys() && i != table.partitioning();
            if (changeable && (assignments.isEmpty() || draw.oneIn(3))) {
                Phrase value = queries.expressions().draw(column.type(), scope(table), 2);
                assignments.add(Phrase.of("", column.name(), "=", value));
            }
        }
        return assignments.isEmpty()
                ? insertion(table)
                : Phrase.of("", "UPDATE", table.name(), "SET", Phrase.list(assignments), condition(table));
    }

    private Phrase condition(GeneratedTable table) {
        return Phrase.clause("WHERE", queries.expressions().condition(scope(table), 2));
    }

    private static Scope scope(GeneratedTable table) {
        return new Scope(table.names(table.name()), List.of());
    }
}
