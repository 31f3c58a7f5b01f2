package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.table.TableStore;
import java.util.ArrayList;
import java.util.List;

/**
 * A source table of a materialized view with its rows on one partition, for the code that fills and updates the view.
 */
record ViewSource(Table table, TableStore rows) {
    /** All of the view's, each at the place of its number. */
    static List<ViewSource> all(Aggregation aggregation, Catalog catalog, PartitionStorage storage) {
        List<Table> tables = new ArrayList<>();
        for (int number = 0; number < aggregation.sourceCount(); number++) {
            tables.add(catalog.table(aggregation.source(number)));
        }
        return all(tables, storage);
    }

    static List<ViewSource> all(List<Table> tables, PartitionStorage storage) {
        return tables.stream()
                .map(table -> new ViewSource(table, storage.table(table.id())))
                .toList();
    }
}
