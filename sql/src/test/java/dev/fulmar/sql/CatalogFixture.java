package dev.fulmar.sql;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.TablePartitioning;
import dev.fulmar.engine.spi.SqlFrontend;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Makes catalogs from DDL, as the engine does where it matters to plans. */
final class CatalogFixture {
    private CatalogFixture() {}

    static Catalog of(SqlFrontend frontend, String script) {
        Catalog catalog = Catalog.empty();
        for (String statement : frontend.split(script)) {
            catalog = with(frontend, statement, catalog);
        }
        return catalog;
    }

    static Catalog with(SqlFrontend frontend, String statement, Catalog catalog) {
        SqlFrontend.Compiled compiled = frontend.compile(statement, catalog);
        return apply(catalog, ((SqlFrontend.Compiled.Change) compiled).change());
    }

    private static Catalog apply(Catalog catalog, CatalogChange change) {
        return switch (change) {
            case CatalogChange.CreateTable create -> catalog.withTable(table(catalog.nextId(), create));
            case CatalogChange.PartitionTable partition -> {
                Table table = catalog.table(partition.table());
                yield catalog.withTable(table.withPartitioningColumn(table.columnIndex(partition.column())));
            }
            case CatalogChange.CreateIndex create -> {
                Table table = catalog.table(create.table());
                List<Index> indexes = new ArrayList<>(table.indexes());
                List<IndexColumn> columns = create.columns().stream()
                        .map(column -> column.computed()
                                .map(key -> new IndexColumn(key.expression(), column.descending()))
                                .orElseGet(
                                        () -> new IndexColumn(table.columnIndex(column.column()), column.descending())))
                        .toList();
                indexes.add(new Index(
                        catalog.nextId(),
                        create.name(),
                        create.kind(),
                        create.unique(),
                        false,
                        columns,
                        create.filter().map(CatalogChange.IndexFilter::condition)));
                yield catalog.withTable(table.withIndexes(indexes));
            }
            case CatalogChange.CreateView create -> catalog.withView(create.view());
            case CatalogChange.CreateProcedure create -> catalog.withProcedure(create.definition());
            default -> throw new IllegalArgumentException("not in this fixture: " + change);
        };
    }

    private static Table table(int id, CatalogChange.CreateTable create) {
        List<String> names =
                create.columns().stream().map(column -> column.name()).toList();
        List<Index> indexes = new ArrayList<>();
        List<Integer> primaryKey =
                create.primaryKey().stream().map(names::indexOf).toList();
        List<IndexColumn> key = primaryKey.stream()
                .map(column -> new IndexColumn(column, false))
                .toList();
        if (!key.isEmpty()) {
            Optional<IndexKind> kind = create.primaryKeyKind();
            if (kind.isEmpty() || kind.get() == IndexKind.HASH) {
                indexes.add(new Index(id + 1, create.name() + "_PK", IndexKind.HASH, true, true, key));
            }
            if (kind.isEmpty() || kind.get() == IndexKind.ORDERED) {
                indexes.add(new Index(id + 2, create.name() + "_PK_ORDERED", IndexKind.ORDERED, true, true, key));
            }
        }
        int next = id + 3;
        for (CatalogChange.Unique unique : create.uniques()) {
            List<IndexColumn> columns = unique.columns().stream()
                    .map(name -> new IndexColumn(names.indexOf(name), false))
                    .toList();
            indexes.add(new Index(next++, unique.name(), IndexKind.HASH, true, false, columns));
        }
        Table table = new Table(id, create.name(), create.columns(), OptionalInt.empty(), primaryKey, indexes);
        return create.partitioning() instanceof TablePartitioning.OnRow ? table.withRowId() : table;
    }
}
