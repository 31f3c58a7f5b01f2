package dev.fulmar.sql.postgres;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.MirroredName;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.View;
import dev.fulmar.engine.catalog.access.Principal;
import dev.fulmar.foundation.data.Enumeration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Names, texts and numbers of objects, for PostgreSQL's functions about them. */
public final class Lookups {
    private final ShownObjects objects;

    Lookups(ShownObjects objects) {
        this.objects = objects;
    }

    /** The key of a part of an object, such as a column. */
    public static long key(long oid, long part) {
        return oid << Integer.SIZE | part;
    }

    /** Names of relations by their OIDs, with the schema where it is not visible. */
    public Map<Long, String> relationNames() {
        Map<Long, String> names = new LinkedHashMap<>();
        for (Table table : objects.tables()) {
            names.put((long) ObjectNumbers.ofId(table.id()), objects.shortName(table.name()));
            for (Index index : ShownObjects.indexes(table)) {
                String name = RelationRows.inSchemaOf(table, index);
                names.put((long) ObjectNumbers.ofId(index.id()), objects.shortName(name));
            }
        }
        for (View view : objects.views()) {
            names.put((long) objects.numbers().ofView(view.name()), objects.shortName(view.name()));
        }
        for (SystemTable table : SystemTables.ALL) {
            names.put(
                    (long) table.oid(),
                    table.isOfCatalog() ? table.name() : ShownObjects.schemaName(table.schema()) + "." + table.name());
        }
        return names;
    }

    /** OIDs of relations by their names, with the schema and, where it is visible, without. */
    public Map<String, Long> relationNumbers() {
        Map<String, Long> numbers = new LinkedHashMap<>();
        relationNames().forEach((oid, name) -> numbers.put(name, oid));
        for (SystemTable table : SystemTables.ALL) {
            numbers.put(ShownObjects.schemaName(table.schema()) + "." + table.name(), (long) table.oid());
        }
        for (Table table : objects.tables()) {
            numbers.put(ObjectTexts.fullName(table.name()), (long) ObjectNumbers.ofId(table.id()));
            for (Index index : ShownObjects.indexes(table)) {
                String name = RelationRows.inSchemaOf(table, index);
                numbers.put(ObjectTexts.fullName(name), (long) ObjectNumbers.ofId(index.id()));
            }
        }
        for (View view : objects.views()) {
            numbers.put(
                    ObjectTexts.fullName(view.name()), (long) objects.numbers().ofView(view.name()));
        }
        return numbers;
    }

    /** Names of tables and sequences with their schema, by their OIDs. */
    public Map<Long, String> fullNames() {
        Map<Long, String> names = new LinkedHashMap<>();
        for (Table table : objects.tables()) {
            names.put((long) ObjectNumbers.ofId(table.id()), ObjectTexts.fullName(table.name()));
        }
        return names;
    }

    /** OIDs of the sequences that columns draw from, by the names of table and column, without quotes. */
    public Map<String, Long> sequenceNumbers() {
        Map<String, Long> numbers = new LinkedHashMap<>();
        for (Table table : objects.tables()) {
            for (Column column : table.columns()) {
                column.drawsFrom().ifPresent(sequence -> {
                    String local = MirroredName.of(SchemaName.local(table.name()));
                    String name = local + "." + MirroredName.of(column.name());
                    long oid = ObjectNumbers.ofId(sequence);
                    numbers.put(ObjectTexts.schema(table.name()) + "." + name, oid);
                    if (objects.isVisible(table.name())) {
                        numbers.put(name, oid);
                    }
                });
            }
        }
        return numbers;
    }

    /** OIDs of relations that plain names do not find: {@code t} and {@code f} by OID. */
    public Map<Long, String> visibility() {
        Map<Long, String> visible = new LinkedHashMap<>();
        relationNames().forEach((oid, name) -> visible.put(oid, name.contains(".") ? "f" : "t"));
        for (Table table : objects.tables()) {
            visible.put((long) ObjectNumbers.ofId(table.id()), objects.isVisible(table.name()) ? "t" : "f");
        }
        return visible;
    }

    public Map<Long, String> schemaNames() {
        Map<Long, String> names = new LinkedHashMap<>();
        objects.schemas()
                .forEach(schema ->
                        names.put((long) objects.numbers().ofSchema(schema), ShownObjects.schemaName(schema)));
        return names;
    }

    public Map<Long, String> roleNames() {
        Map<Long, String> names = new LinkedHashMap<>();
        names.put((long) ObjectNumbers.OWNER, AccessLists.OWNER);
        for (Principal principal : objects.catalog().access().principals().values()) {
            names.put((long) objects.numbers().ofRole(principal.name()), ObjectTexts.nameOfSchema(principal.name()));
        }
        return names;
    }

    /** The roles of a role as an array of their names. */
    public Map<Long, String> rolesOfRoles() {
        Map<Long, String> roles = new LinkedHashMap<>();
        roles.put((long) ObjectNumbers.OWNER, "{}");
        for (Principal principal : objects.catalog().access().principals().values()) {
            roles.put((long) objects.numbers().ofRole(principal.name()), OtherRows.rolesOf(principal));
        }
        return roles;
    }

    /** The labels of a type as an array of texts. */
    public Map<Long, String> labelsOfTypes() {
        Map<Long, String> labels = new LinkedHashMap<>();
        for (Enumeration type : objects.catalog().enumerations().values()) {
            labels.put(
                    (long) ObjectNumbers.ofId(type.id()),
                    type.values().stream()
                            .map(Enumeration.Value::label)
                            .map(Lookups::element)
                            .collect(Collectors.joining(",", "{", "}")));
        }
        return labels;
    }

    private static String element(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    /** SQL's names of types. */
    public Map<Long, String> typeNames() {
        Map<Long, String> names = new LinkedHashMap<>();
        types().forEach(type -> names.put((long) type.oid(), type.sqlName()));
        return names;
    }

    private List<SystemType> types() {
        List<SystemType> types = new ArrayList<>(SystemTables.TYPES);
        objects.catalog().enumerations().values().forEach(each -> types.add(SystemType.of(each)));
        return types;
    }

    /** OIDs of types by all their names. */
    public Map<String, Long> typeNumbers() {
        Map<String, Long> numbers = new LinkedHashMap<>();
        for (SystemType type : types()) {
            numbers.putIfAbsent(type.name(), (long) type.oid());
            numbers.putIfAbsent(type.sqlName(), (long) type.oid());
        }
        return numbers;
    }

    public Map<Long, String> indexTexts() {
        Map<Long, String> texts = new LinkedHashMap<>();
        for (Table table : objects.tables()) {
            ShownObjects.indexes(table)
                    .forEach(
                            index -> texts.put((long) ObjectNumbers.ofId(index.id()), ObjectTexts.index(table, index)));
        }
        return texts;
    }

    /** Columns of indexes by the index and the position, from 1. */
    public Map<Long, String> indexColumns() {
        Map<Long, String> texts = new LinkedHashMap<>();
        for (Table table : objects.tables()) {
            for (Index index : ShownObjects.indexes(table)) {
                for (int i = 0; i < index.columns().size(); i++) {
                    texts.put(
                            key(ObjectNumbers.ofId(index.id()), i + 1L),
                            ObjectTexts.column(table, index.columns().get(i)));
                }
            }
        }
        return texts;
    }

    public Map<Long, String> constraintTexts() {
        Map<Long, String> texts = new LinkedHashMap<>();
        for (Table table : objects.tables()) {
            ShownObjects.keys(table)
                    .forEach(key -> texts.put(constraint(table, key.name()), ObjectTexts.key(table, key)));
            table.foreignKeys().forEach(key -> texts.put(constraint(table, key.name()), ObjectTexts.foreignKey(key)));
            table.checks().forEach(check -> texts.put(constraint(table, check.name()), ObjectTexts.check(check)));
        }
        return texts;
    }

    private long constraint(Table table, String name) {
        return objects.numbers().ofConstraint(table, name);
    }

    public Map<Long, String> viewTexts() {
        Map<Long, String> texts = new LinkedHashMap<>();
        for (View view : objects.views()) {
            texts.put((long) objects.numbers().ofView(view.name()), view.text().strip() + ";");
        }
        for (Table table : objects.tables()) {
            Aggregation aggregation = table.aggregation().orElse(null);
            if (aggregation != null) {
                texts.put(
                        (long) ObjectNumbers.ofId(table.id()),
                        aggregation.text().strip() + ";");
            }
        }
        return texts;
    }

    /** Comments by the object and the column, which is 0 for the object itself. */
    public Map<Long, String> comments() {
        Map<Long, String> texts = new LinkedHashMap<>();
        SystemTable descriptions = SystemTables.ALL.stream()
                .filter(table -> table.name().equals("pg_description"))
                .findFirst()
                .orElseThrow();
        SystemRows rows = new SystemRows(descriptions);
        new OtherRows(objects).comments(rows);
        for (var row : rows.rows()) {
            Object object = row.get(descriptions.place("objoid"));
            Object column = row.get(descriptions.place("objsubid"));
            Object text = row.get(descriptions.place("description"));
            if (object instanceof Integer oid && column instanceof Integer part) {
                texts.put(key(oid, part), String.valueOf(text));
            }
        }
        return texts;
    }
}
