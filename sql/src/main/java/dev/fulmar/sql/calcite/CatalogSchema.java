package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import org.apache.calcite.jdbc.CalciteSchema;

/** A catalog version as a schema of Calcite. */
record CatalogSchema(Catalog catalog, CalciteSchema root) {
    static CatalogSchema of(Catalog catalog) {
        CalciteSchema root = CalciteSchema.createRootSchema(false, false);
        for (Table table : catalog.tables().values()) {
            root.add(table.name(), new CatalogTable(table));
        }
        return new CatalogSchema(catalog, root);
    }
}
