package dev.fulmar.simulator.cluster;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Names the objects of a catalog with their kind, as {@code table T} or {@code procedure P}, so that verdicts compare
 * sets of names. A column is {@code column T.C}, and so on.
 */
final class CatalogNames {
    private CatalogNames() {}

    static String table(String name) {
        return "table " + name;
    }

    static String column(String table, String column) {
        return "column " + table + "." + column;
    }

    static String index(String table, String index) {
        return "index " + table + "." + index;
    }

    static String check(String table, String check) {
        return "check " + table + "." + check;
    }

    static String procedure(String name) {
        return "procedure " + name;
    }

    static String user(String name) {
        return "user " + name;
    }

    /**
     * All names that clients made by statements, without those that come with a table by itself, and those that
     * {@link ConstraintClient} changes.
     *
     * @param pending with the tables, too, that statements are making, or were when they ended
     */
    static SortedSet<String> of(Catalog catalog, boolean pending) {
        TreeSet<String> names = new TreeSet<>();
        for (Table table : catalog.tables().values()) {
            if (!pending && SchemaName.isPending(table.name())) {
                continue;
            }
            names.add(table(table.name()));
            for (Column column : table.visibleColumns()) {
                names.add(column(table.name(), column.name()));
            }
            for (Index index : table.indexes()) {
                if (!index.primary() && !table.name().equals(ConstraintClient.TABLE)) {
                    names.add(index(table.name(), index.name()));
                }
            }
            for (Check check : table.checks()) {
                names.add(check(table.name(), check.name()));
            }
        }
        catalog.procedures().forEach((name, definition) -> {
            if (!(definition.body() instanceof ProcedureDefinition.RowAccess)) {
                names.add(procedure(name));
            }
        });
        catalog.access().principals().keySet().forEach(name -> names.add(user(name)));
        return names;
    }

    /** All of it; equal for equal catalogs. */
    static String text(Catalog catalog) {
        return "version " + catalog.version() + ", next id " + catalog.nextId() + ", tables " + catalog.tables()
                + ", procedures " + catalog.procedures() + ", users "
                + catalog.access().principals();
    }
}
