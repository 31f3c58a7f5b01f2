package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.View;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.schema.impl.AbstractSchema;

/** A catalog version as a schema of Calcite. */
record CatalogSchema(Catalog catalog, CalciteSchema root) {
    static CatalogSchema of(Catalog catalog) {
        CalciteSchema root = CalciteSchema.createRootSchema(false, false);
        for (Table table : catalog.tables().values()) {
            root.add(
                    table.name(),
                    table.aggregation()
                            .<org.apache.calcite.schema.Table>map(kept -> new CatalogAggregation(table, kept))
                            .orElseGet(() -> new CatalogTable(table)));
        }
        for (View view : catalog.views().values()) {
            root.add(view.name(), new CatalogView(view));
        }
        CalciteSchema information = root.add(InformationTable.SCHEMA, new AbstractSchema());
        for (InformationTable table : InformationTable.all(catalog)) {
            information.add(table.name(), table);
        }
        return new CatalogSchema(catalog, root);
    }
}
