package dev.fulmar.sql.calcite;

import com.google.common.base.Suppliers;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.View;
import dev.fulmar.sql.postgres.PostgresCatalog;
import dev.fulmar.sql.postgres.SystemTable;
import dev.fulmar.sql.postgres.SystemTables;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.schema.impl.AbstractSchema;

/**
 * A catalog version as a schema of Calcite, without the temporary tables of others than one session.
 *
 * @param temporary schema of the session's temporary tables; empty for none
 */
record CatalogSchema(Catalog catalog, String temporary, CalciteSchema root, CatalogLookups lookups) {
    /** @param temporary schema of the session's temporary tables; empty for none */
    static CatalogSchema of(Catalog whole, String temporary) {
        Catalog catalog = whole.seenBy(temporary);
        CalciteSchema root = CalciteSchema.createRootSchema(false, false);
        Map<String, CalciteSchema> schemas = new TreeMap<>();
        schemas.put(SchemaName.PUBLIC, root.add(SchemaName.PUBLIC, new AbstractSchema()));
        catalog.schemas().forEach(schema -> schemas.put(schema, root.add(schema, new AbstractSchema())));
        if (!temporary.isEmpty()) {
            schemas.put(temporary, root.add(temporary, new AbstractSchema()));
        }
        Catalog shownCatalog = catalog.withoutPending();
        for (Table table : catalog.tables().values()) {
            add(
                    schemas,
                    root,
                    table.name(),
                    table.aggregation()
                            .<org.apache.calcite.schema.Table>map(kept -> new CatalogAggregation(table, kept))
                            .orElseGet(() -> new CatalogTable(table)));
        }
        for (View view : catalog.views().values()) {
            add(schemas, root, view.name(), new CatalogView(view));
        }
        CalciteSchema information = root.add(InformationTable.SCHEMA, new AbstractSchema());
        for (InformationTable table : InformationTable.all(shownCatalog)) {
            information.add(table.name(), table);
        }
        Supplier<PostgresCatalog> shown =
                Suppliers.memoize(() -> new PostgresCatalog(shownCatalog, temporary, List.of()));
        for (SystemTable table : SystemTables.ALL) {
            CalciteSchema system = Objects.requireNonNullElseGet(
                    root.getSubSchema(table.schema(), true), () -> root.add(table.schema(), new AbstractSchema()));
            system.add(table.engineName(), new PostgresTable(table, shown));
        }
        return new CatalogSchema(whole, temporary, root, new CatalogLookups(shown));
    }

    /** The same for a session whose plain names are of the schemas. */
    CatalogSchema withPath(List<String> path) {
        return path.isEmpty()
                ? this
                : new CatalogSchema(
                        catalog,
                        temporary,
                        root,
                        new CatalogLookups(Suppliers.memoize(() ->
                                new PostgresCatalog(catalog.seenBy(temporary).withoutPending(), temporary, path))));
    }

    /**
     * In its schema, and by the name that the catalog has for it, which statements that the engine makes by itself use.
     */
    private static void add(
            Map<String, CalciteSchema> schemas,
            CalciteSchema root,
            String name,
            org.apache.calcite.schema.Table table) {
        root.add(name, table);
        CalciteSchema schema = schemas.get(SchemaName.of(name));
        if (schema != null) {
            schema.add(SchemaName.local(name), table);
        }
    }
}
