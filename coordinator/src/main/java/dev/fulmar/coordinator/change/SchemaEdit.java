package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange.CreateSchema;
import dev.fulmar.engine.catalog.CatalogChange.DropSchema;
import dev.fulmar.engine.catalog.CatalogChange.DropTable;
import dev.fulmar.engine.catalog.CatalogChange.DropView;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Builds the next catalog when a schema is created or dropped. */
final class SchemaEdit {
    private SchemaEdit() {}

    static CatalogEdit create(CreateSchema create, Catalog catalog) {
        String name = create.name();
        boolean isBuiltIn = name.equals(SchemaName.PUBLIC) || SchemaName.showsCatalog(name);
        if (isBuiltIn || catalog.schemas().contains(name)) {
            if (create.presence() == Presence.LENIENT) {
                return CatalogEdit.unchanged(catalog);
            }
            throw CatalogEdit.exists("schema", name);
        }
        if (!SchemaName.of(name).equals(SchemaName.PUBLIC)) {
            throw new FulmarException(
                    ErrorCode.SYNTAX, "the name of a schema has no dot; choose another one than " + name);
        }
        if (name.equals(SchemaName.TEMPORARY) || SchemaName.isTemporary(name)) {
            throw new FulmarException(
                    ErrorCode.SYNTAX, "schemas of temporary tables are not created; choose another name than " + name);
        }
        TreeSet<String> schemas = new TreeSet<>(catalog.schemas());
        schemas.add(name);
        return CatalogEdit.withoutSteps(catalog.withSchemas(schemas));
    }

    /** Refuses a name whose schema does not exist. */
    static void check(String name, Catalog catalog) {
        String schema = SchemaName.of(name);
        boolean isThere = schema.equals(SchemaName.PUBLIC)
                || catalog.schemas().contains(schema)
                || SchemaName.isTemporary(schema);
        if (!isThere) {
            throw new FulmarException(
                    ErrorCode.UNKNOWN_OBJECT,
                    "there is no schema " + schema + "; CREATE SCHEMA makes one (a name with a dot names a schema)");
        }
    }

    static CatalogEdit drop(DropSchema drop, Catalog catalog) {
        String name = drop.name();
        if (catalog.temporarySchemas().contains(name)) {
            return emptied(name, catalog); // it is there as long as it has tables
        }
        if (!catalog.schemas().contains(name)) {
            if (drop.presence() == Presence.LENIENT) {
                return CatalogEdit.unchanged(catalog);
            }
            boolean isBuiltIn = name.equals(SchemaName.PUBLIC) || SchemaName.showsCatalog(name);
            throw new FulmarException(
                    isBuiltIn ? ErrorCode.NOT_SUPPORTED : ErrorCode.UNKNOWN_OBJECT,
                    isBuiltIn ? "schema " + name + " is always there" : "there is no schema " + name);
        }
        List<String> inside = Stream.of(catalog.tables(), catalog.views(), catalog.enumerations())
                .flatMap(objects -> objects.keySet().stream())
                .filter(object -> SchemaName.of(object).equals(name))
                .toList();
        if (!inside.isEmpty() && !drop.cascade()) {
            throw new FulmarException(
                    ErrorCode.DEPENDENT_OBJECTS,
                    "schema " + name + " has " + inside.getFirst() + (inside.size() == 1 ? "" : " and more")
                            + "; drop what it has first, or say CASCADE");
        }
        CatalogEdit emptied = emptied(name, catalog);
        SequenceEdit.checkDrawn(catalog, emptied.catalog());
        TreeSet<String> schemas = new TreeSet<>(catalog.schemas());
        schemas.remove(name);
        Catalog remaining = EnumerationEdit.withoutTypesOf(name, emptied.catalog());
        return new CatalogEdit(remaining.withSchemas(schemas), emptied.steps());
    }

    /** The catalog without the schema's objects, and without views and foreign keys elsewhere that use them. */
    private static CatalogEdit emptied(String schema, Catalog catalog) {
        Catalog remaining = catalog;
        for (String view : catalog.views().keySet()) {
            if (SchemaName.of(view).equals(schema)) {
                remaining = ViewEdit.drop(new DropView(view, Presence.LENIENT, true), remaining)
                        .catalog();
            }
        }
        List<StorageStep> steps = new ArrayList<>();
        for (Table table : inOrderOfDropping(schema, catalog)) {
            if (remaining.tables().containsKey(table.name())) {
                CatalogEdit dropped = table.isAggregation()
                        ? AggregationEdit.drop(table, remaining, true)
                        : CatalogEdit.dropTable(new DropTable(table.name(), Presence.STRICT, true), remaining);
                remaining = dropped.catalog();
                steps.addAll(dropped.steps());
            }
        }
        return new CatalogEdit(remaining, steps);
    }

    /** The tables of the schema, materialized views first; sequences of columns go with them. */
    private static List<Table> inOrderOfDropping(String schema, Catalog catalog) {
        List<Table> tables = new ArrayList<>(catalog.tables().values().stream()
                .filter(table -> SchemaName.of(table.name()).equals(schema))
                .filter(table -> !table.sequence().map(SequenceRule::owned).orElse(false))
                .toList());
        tables.sort(Comparator.comparing(table -> !table.isAggregation()));
        return tables;
    }
}
