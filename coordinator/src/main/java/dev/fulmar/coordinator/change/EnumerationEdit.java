package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange.AddLabel;
import dev.fulmar.engine.catalog.CatalogChange.CreateEnumeration;
import dev.fulmar.engine.catalog.CatalogChange.DropEnumeration;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.CatalogChange.RenameLabel;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.data.Enumeration;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Builds the next catalog when a type with labels is made, changed or dropped. Codes of labels follow from the changes
 * alone, so that every node, and every restart, comes to the same ones.
 */
final class EnumerationEdit {
    private EnumerationEdit() {}

    static CatalogEdit create(CreateEnumeration create, Catalog catalog) {
        SchemaEdit.check(create.name(), catalog);
        if (SchemaName.isInTemporary(create.name())) {
            throw new FulmarException(ErrorCode.NOT_SUPPORTED, "temporary types are not supported; name a schema");
        }
        if (catalog.enumerations().containsKey(create.name())) {
            throw CatalogEdit.exists("type", create.name());
        }
        return CatalogEdit.withoutSteps(
                catalog.withEnumeration(Enumeration.of(catalog.nextId(), create.name(), create.labels())));
    }

    static CatalogEdit addLabel(AddLabel add, Catalog catalog) {
        Enumeration before = find(add.name(), catalog);
        if (add.presence() == Presence.LENIENT && before.find(add.label()).isPresent()) {
            return CatalogEdit.unchanged(catalog);
        }
        return changed(
                add.neighbour()
                        .map(next -> before.with(add.label(), next.label(), next.isBefore()))
                        .orElseGet(() -> before.with(add.label())),
                catalog);
    }

    static CatalogEdit renameLabel(RenameLabel rename, Catalog catalog) {
        return changed(find(rename.name(), catalog).renamed(rename.label(), rename.newLabel()), catalog);
    }

    /** Tables know the labels of their columns, so each that has the type becomes another one. */
    private static CatalogEdit changed(Enumeration after, Catalog catalog) {
        Catalog changed = catalog.withEnumeration(after);
        List<StorageStep> steps = new ArrayList<>();
        for (Table table : catalog.tables().values()) {
            Table retyped = changed.table(table.name());
            if (!retyped.equals(table)) {
                steps.add(new StorageStep.RedefineTable(table, retyped));
            }
        }
        return new CatalogEdit(changed, steps);
    }

    private static Enumeration find(String name, Catalog catalog) {
        Enumeration found = catalog.enumerations().get(name);
        if (found == null) {
            throw new FulmarException(
                    ErrorCode.UNKNOWN_OBJECT, "there is no type " + name + "; CREATE TYPE ... AS ENUM makes one");
        }
        return found;
    }

    static CatalogEdit drop(DropEnumeration drop, Catalog catalog) {
        Enumeration dropped = catalog.enumerations().get(drop.name());
        if (dropped == null && drop.presence() == Presence.LENIENT) {
            return CatalogEdit.unchanged(catalog);
        }
        checkUnused(find(drop.name(), catalog), catalog);
        return CatalogEdit.withoutSteps(catalog.withoutEnumeration(drop.name()));
    }

    private static void checkUnused(Enumeration type, Catalog catalog) {
        Optional<String> user = catalog.userOf(type);
        if (user.isPresent()) {
            throw new FulmarException(
                    ErrorCode.DEPENDENT_OBJECTS,
                    "cannot drop type " + type.name() + " because " + user.get()
                            + " depends on it; drop that one, or its column, first");
        }
    }

    /** The catalog without the types of a schema; refuses one that something elsewhere has. */
    static Catalog withoutTypesOf(String schema, Catalog catalog) {
        Catalog remaining = catalog;
        for (Enumeration type : catalog.enumerations().values()) {
            if (SchemaName.of(type.name()).equals(schema)) {
                checkUnused(type, remaining);
                remaining = remaining.withoutEnumeration(type.name());
            }
        }
        return remaining;
    }

    /** Refuses an edit after which a type has the name of a table or view, which in PostgreSQL is a type too. */
    static CatalogEdit checked(CatalogEdit edit) {
        Catalog after = edit.catalog();
        for (String name : after.enumerations().keySet()) {
            if (after.tables().containsKey(name) || after.views().containsKey(name)) {
                throw new FulmarException(
                        ErrorCode.OBJECT_EXISTS,
                        "a type and a table or view would both be called " + name + "; choose another name");
            }
        }
        return edit;
    }
}
