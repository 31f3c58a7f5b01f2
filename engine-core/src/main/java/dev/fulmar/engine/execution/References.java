package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.check.Invariants;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Enforces the foreign keys to and from one table for a statement that writes it: applies their actions and checks them
 * at the end. The statement reports what it does to rows; {@link #finish} does the rest, in other tables too. All rows
 * that refer to each other are on one partition, or replicated; steps of the plan do the rest (see
 * {@link ReferencePlaces}). Belongs to one statement.
 */
final class References {
    private final ExecutionContext context;
    private final Catalog catalog;
    private final Map<Integer, TableReferences> tables = new TreeMap<>();
    private final List<Gone> gone = new ArrayList<>();
    private final List<Gone> unreferenced = new ArrayList<>();
    private final List<Written> written = new ArrayList<>();
    private final TableReferences root;

    /** A key that is no more; {@code after} is the row that has another one instead, 0 if there is none. */
    record Gone(ReferringTable referring, long row, long after) {}

    /** A row whose references must hold when the statement ends. */
    record Written(TableReferences table, long row) {}

    private References(ExecutionContext context, Catalog catalog, Table table) {
        this.context = context;
        this.catalog = catalog;
        root = of(table);
    }

    /** Null if rows of the table refer to nothing. */
    static @Nullable References ofInsert(ExecutionContext context, Catalog catalog, Table table, boolean upsert) {
        ReferencePlaces.check(table, catalog);
        if (upsert) {
            ReferencePlaces.checkUpsert(table, catalog);
        }
        return ReferencePlaces.together(table, catalog).isEmpty() ? null : new References(context, catalog, table);
    }

    /** Null if no row refers to one of the table. */
    static @Nullable References ofDelete(ExecutionContext context, Catalog catalog, Table table) {
        return referring(catalog, table).isEmpty() ? null : new References(context, catalog, table);
    }

    /** Null if the columns that are changed belong to no foreign key. */
    static @Nullable References ofUpdate(ExecutionContext context, Catalog catalog, Table table, IntPredicate changes) {
        ReferencePlaces.check(table, catalog);
        boolean refers = ReferencePlaces.together(table, catalog).stream()
                .flatMap(key -> key.columns().stream())
                .anyMatch(column -> changes.test(table.columnIndex(column)));
        return refers || changesKeys(catalog, table, changes) ? new References(context, catalog, table) : null;
    }

    /** Whether the columns that are changed are ones that rows refer to. */
    static boolean changesKeys(Catalog catalog, Table table, IntPredicate changes) {
        return referring(catalog, table).stream()
                .flatMap(each -> each.key().parentColumns().stream())
                .anyMatch(column -> changes.test(table.columnIndex(column)));
    }

    /** The foreign keys to the table that are followed on its partition. */
    private static List<ReferencePlaces.Referring> referring(Catalog catalog, Table parent) {
        return ReferencePlaces.referring(parent, catalog).stream()
                .filter(each -> ReferencePlaces.isFollowedInPlace(each, catalog))
                .toList();
    }

    Catalog catalog() {
        return catalog;
    }

    ExecutionContext context() {
        return context;
    }

    Table table(String name) {
        Table table = catalog.tables().get(name);
        if (table == null) {
            throw Invariants.breach("a foreign key refers to a table of its catalog");
        }
        return table;
    }

    List<ReferencePlaces.Referring> referring(Table parent) {
        return referring(catalog, parent);
    }

    TableReferences of(Table table) {
        TableReferences known = tables.get(table.id());
        if (known == null) {
            known = new TableReferences(this, table);
            tables.put(table.id(), known);
        }
        return known;
    }

    /** The statement begins. */
    void begin() {
        gone.clear();
        unreferenced.clear();
        written.clear();
        tables.values().forEach(table -> table.rows().begin());
    }

    /** A row of the table is there, or has changed. */
    void written(long row) {
        written(root, row);
    }

    void written(TableReferences table, long row) {
        if (table.refers()) {
            written.add(new Written(table, row));
        }
    }

    /** A row of the table is going: it is deleted next. */
    void deleted(long row) {
        deleted(root, row);
    }

    void deleted(TableReferences table, long row) {
        table.referring().forEach(referring -> gone.add(new Gone(referring, row, 0)));
    }

    /** A row of the table was deleted, and came back with other values. */
    void replaced(long before, long after) {
        root.referring().forEach(referring -> gone.add(new Gone(referring, before, after)));
        written(after);
    }

    /** The statement has done its own part. Fails with FOREIGN_KEY_VIOLATION. */
    void finish() {
        for (int i = 0; i < gone.size(); i++) { // what follows may add to it
            Gone each = gone.get(i);
            if (each.referring().follow(each)) {
                unreferenced.add(each);
            }
        }
        for (Gone each : unreferenced) {
            each.referring().requireNone(each.row());
        }
        for (Written each : written) {
            if (RowLayout.isVisible(each.row())) {
                each.table().require(each.row());
            }
        }
        tables.values().forEach(table -> table.rows().finish());
    }
}
