package dev.fulmar.sql.postgres;

import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Rows about constraints, and about what depends on what. */
final class ConstraintRows {
    private final ShownObjects objects;

    ConstraintRows(ShownObjects objects) {
        this.objects = objects;
    }

    void addTo(Map<String, Consumer<SystemRows>> makers) {
        makers.put("pg_constraint", this::constraints);
        makers.put("pg_depend", this::dependences);
    }

    private void constraints(SystemRows rows) {
        for (Table table : objects.tables()) {
            if (table.isSequence()) {
                continue;
            }
            ShownObjects.keys(table).forEach(key -> key(rows, table, key));
            table.checks().forEach(check -> check(rows, table, check));
            table.foreignKeys().forEach(key -> foreignKey(rows, table, key));
        }
    }

    private void key(SystemRows rows, Table table, Index key) {
        rows.add(
                "oid",
                objects.numbers().ofConstraint(table, key.name()),
                "conname",
                ObjectTexts.name(key.name()),
                "connamespace",
                objects.schemaOf(table.name()),
                "contype",
                key.primary() ? "p" : "u",
                "convalidated",
                key.isValidated(),
                "conrelid",
                ObjectNumbers.ofId(table.id()),
                "conindid",
                ObjectNumbers.ofId(key.id()),
                "confupdtype",
                " ",
                "confdeltype",
                " ",
                "confmatchtype",
                " ",
                "conislocal",
                true,
                "connoinherit",
                true,
                "conkey",
                array(places(key)));
    }

    private void check(SystemRows rows, Table table, Check check) {
        rows.add(
                "oid",
                objects.numbers().ofConstraint(table, check.name()),
                "conname",
                ObjectTexts.name(check.name()),
                "connamespace",
                objects.schemaOf(table.name()),
                "contype",
                "c",
                "convalidated",
                true,
                "conrelid",
                ObjectNumbers.ofId(table.id()),
                "confupdtype",
                " ",
                "confdeltype",
                " ",
                "confmatchtype",
                " ",
                "conislocal",
                true,
                "conkey",
                array(reads(table, check)),
                "conbin",
                check.text());
    }

    private void foreignKey(SystemRows rows, Table table, ForeignKey key) {
        Table parent = objects.catalog().table(key.parent());
        rows.add(
                "oid", objects.numbers().ofConstraint(table, key.name()),
                "conname", ObjectTexts.name(key.name()),
                "connamespace", objects.schemaOf(table.name()),
                "contype", "f",
                "convalidated", key.isValidated(),
                "conrelid", ObjectNumbers.ofId(table.id()),
                "conindid", ObjectNumbers.ofId(objects.referenced(key).id()),
                "confrelid", ObjectNumbers.ofId(parent.id()),
                "confupdtype", action(key.onUpdate()),
                "confdeltype", action(key.onDelete()),
                "confmatchtype", "s",
                "conislocal", true,
                "connoinherit", true,
                "conkey", array(numbered(key.places(table))),
                "confkey", array(numbered(key.parentPlaces(parent))));
    }

    private static String action(ForeignKey.Action action) {
        return switch (action) {
            case NO_ACTION -> "a";
            case CASCADE -> "c";
            case SET_NULL -> "n";
            case SET_DEFAULT -> "d";
        };
    }

    private static List<Integer> numbered(int[] places) {
        return Arrays.stream(places).map(place -> place + 1).boxed().toList();
    }

    private static List<Integer> places(Index key) {
        return key.columns().stream()
                .map(IndexColumn::column)
                .map(place -> place + 1)
                .toList();
    }

    private static List<Integer> reads(Table table, Check check) {
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < table.columns().size(); i++) {
            if (check.reads(i)) {
                places.add(i + 1);
            }
        }
        return places;
    }

    static String array(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
    }

    private void dependences(SystemRows rows) {
        for (Table table : objects.tables()) {
            int relation = ObjectNumbers.ofId(table.id());
            for (ForeignKey key : table.foreignKeys()) {
                int constraint = objects.numbers().ofConstraint(table, key.name());
                int index = ObjectNumbers.ofId(objects.referenced(key).id());
                rows.add(
                        "classid",
                        ObjectNumbers.CLASS_OF_CONSTRAINTS,
                        "objid",
                        constraint,
                        "refclassid",
                        ObjectNumbers.CLASS_OF_TABLES,
                        "refobjid",
                        index,
                        "deptype",
                        "n");
            }
            if (table.isSequence()) {
                objects.drawing(table)
                        .ifPresent(drawing -> rows.add(
                                "classid",
                                ObjectNumbers.CLASS_OF_TABLES,
                                "objid",
                                relation,
                                "refclassid",
                                ObjectNumbers.CLASS_OF_TABLES,
                                "refobjid",
                                ObjectNumbers.ofId(drawing.table().id()),
                                "refobjsubid",
                                drawing.column() + 1,
                                "deptype",
                                "i"));
            }
        }
    }
}
