package dev.fulmar.engine.procedure.loading;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a catalog that foreign keys and materialized views connect: a write to one has consequences in the
 * other. So are a table and its successor, while which nothing writes the table. Found in one pass, as each of
 * thousands of procedures asks for it. Immutable.
 */
final class TableConnections {
    private final Catalog catalog;

    /** By name; asked for single names only. */
    private final Map<String, List<Table>> neighbours = new HashMap<>();

    private TableConnections(Catalog catalog) {
        this.catalog = catalog;
    }

    static TableConnections of(Catalog catalog) {
        TableConnections connections = new TableConnections(catalog);
        for (Table table : catalog.tables().values()) {
            for (ForeignKey key : table.foreignKeys()) {
                connections.connect(table, catalog.tables().get(key.parent()));
            }
            table.successorOf()
                    .ifPresent(
                            name -> connections.connect(table, catalog.tables().get(name)));
            if (table.isAggregation()) {
                catalog.tables().values().stream()
                        .filter(table::aggregates)
                        .forEach(source -> connections.connect(table, source));
            }
        }
        return connections;
    }

    private void connect(Table one, @Nullable Table other) {
        if (other != null) {
            neighbours.computeIfAbsent(one.name(), name -> new ArrayList<>()).add(other);
            neighbours.computeIfAbsent(other.name(), name -> new ArrayList<>()).add(one);
        }
    }

    Catalog catalog() {
        return catalog;
    }

    /** The tables and all that are connected with them, over however many others. */
    List<Table> with(List<Table> tables) {
        if (tables.stream().noneMatch(table -> neighbours.containsKey(table.name()))) {
            return tables;
        }
        Map<String, Table> all = new LinkedHashMap<>();
        tables.forEach(table -> all.put(table.name(), table));
        List<Table> open = new ArrayList<>(all.values());
        for (int i = 0; i < open.size(); i++) {
            for (Table neighbour : neighbours.getOrDefault(open.get(i).name(), List.of())) {
                if (all.putIfAbsent(neighbour.name(), neighbour) == null) {
                    open.add(neighbour);
                }
            }
        }
        return open;
    }
}
