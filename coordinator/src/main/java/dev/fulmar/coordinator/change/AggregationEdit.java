package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Aggregation.Group;
import dev.fulmar.engine.catalog.Aggregation.Measure;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.CreateMaterializedView;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What becomes of a catalog when a materialized view comes or goes, and what its source may not become while it is there. */
final class AggregationEdit {
    private static final int KEY_BYTES = 1 << 20;

    private AggregationEdit() {}

    static CatalogEdit create(CreateMaterializedView create, Catalog catalog) {
        if (catalog.tables().containsKey(create.name()) || catalog.views().containsKey(create.name())) {
            if (create.presence() == Presence.LENIENT) {
                return CatalogEdit.unchanged(catalog);
            }
            throw CatalogEdit.exists("table or view", create.name());
        }
        SchemaEdit.check(create.name(), catalog);
        Table before = catalog.table(create.basis().name());
        if (!before.equals(create.basis())) {
            throw TableEdit.changedMeanwhile(before);
        }
        Aggregation aggregation = create.aggregation();
        checkNames(create.name(), aggregation);
        List<StorageStep> steps = new ArrayList<>();
        Catalog changed = catalog;
        Table source = before;
        Index search = searchIndex(create.name(), aggregation, before, catalog.nextId());
        if (search != null) {
            CatalogEdit.checkNewIndex(catalog, search.name());
            List<Index> indexes = new ArrayList<>(before.indexes());
            indexes.add(search);
            source = before.withIndexes(indexes);
            changed = changed.withTable(source);
            steps.add(new StorageStep.CreateIndex(source, search));
        }
        Table view = table(create.name(), aggregation, source, changed.nextId());
        view.indexes().forEach(index -> CatalogEdit.checkNewIndex(catalog, index.name()));
        steps.add(new StorageStep.FillView(source, view));
        return new CatalogEdit(changed.withTable(view), steps);
    }

    private static void checkNames(String name, Aggregation aggregation) {
        List<String> names =
                aggregation.outputs().stream().map(Aggregation.Output::name).toList();
        if (names.stream().distinct().count() < names.size()) {
            throw new FulmarException(
                    ErrorCode.SYNTAX,
                    "view " + name + " has two columns of the same name; name its columns: CREATE MATERIALIZED VIEW "
                            + name + " (a, b) AS ...");
        }
    }

    /** What finds a least or greatest value anew, if the source has nothing as good; null if nothing has to be made. */
    private static @Nullable Index searchIndex(String name, Aggregation aggregation, Table source, int id) {
        List<Integer> places = aggregation.groups().stream().map(Group::place).toList();
        Optional<Measure> first =
                aggregation.measures().stream().filter(Measure::isExtreme).findFirst();
        if (first.isEmpty()) {
            return null;
        }
        int value = first.get().argument().orElseThrow() instanceof Expression.ColumnReference reference
                        && !places.contains(reference.index())
                ? reference.index()
                : -1;
        boolean isThere = source.indexes().stream()
                .anyMatch(index -> leadsTo(index, places)
                        && (value < 0
                                || (index.columns().size() > places.size()
                                        && index.columns().get(places.size()).column() == value)));
        if (isThere) {
            return null;
        }
        List<IndexColumn> columns = new ArrayList<>();
        places.forEach(place -> columns.add(new IndexColumn(place, false)));
        if (value >= 0) {
            columns.add(new IndexColumn(value, false));
        }
        return new Index(id, searchName(name), IndexKind.ORDERED, false, false, columns);
    }

    private static String searchName(String view) {
        return view + "_GROUPS";
    }

    private static boolean leadsTo(Index index, List<Integer> places) {
        return index.kind() == IndexKind.ORDERED
                && index.condition().isEmpty()
                && index.columns().size() >= places.size()
                && index.columns().subList(0, places.size()).stream()
                        .allMatch(column -> places.contains(column.column()));
    }

    /** What keeps the view's rows. */
    private static Table table(String name, Aggregation aggregation, Table source, int id) {
        List<Column> columns = new ArrayList<>();
        List<Integer> primaryKey = new ArrayList<>();
        for (Group group : aggregation.groups()) {
            if (!group.nullable()) {
                primaryKey.add(columns.size());
            }
            columns.add(
                    new Column(group.name(), source.columns().get(group.place()).type(), group.nullable(), null));
        }
        if (aggregation.isKeyed()) {
            primaryKey.add(columns.size());
            columns.add(new Column("#KEY", new ColumnType(TypeKind.VARBINARY, KEY_BYTES, 0), false, null));
        }
        for (Measure measure : aggregation.measures()) {
            columns.add(new Column("#" + columns.size(), measure.type(), measure.isExtreme(), null));
        }
        int partitioning = source.partitioningColumn().isEmpty()
                ? -1
                : IntStream.range(0, aggregation.groups().size())
                        .filter(group -> aggregation.groups().get(group).place()
                                == source.partitioningColumn().getAsInt())
                        .findFirst()
                        .orElseThrow();
        List<IndexColumn> key = primaryKey.stream()
                .map(column -> new IndexColumn(column, false))
                .toList();
        String keyName = name + "_PRIMARY_KEY";
        List<Index> indexes = List.of(
                new Index(id + 1, keyName, IndexKind.HASH, true, true, key),
                new Index(id + 2, keyName + "_ORDER", IndexKind.ORDERED, true, true, key));
        Table made = new Table(
                id,
                name,
                columns,
                partitioning < 0 ? OptionalInt.empty() : OptionalInt.of(partitioning),
                primaryKey,
                indexes);
        return made.withAggregation(aggregation);
    }

    /** Without the view, and without the index that came with it. */
    static CatalogEdit drop(Table view, Catalog catalog, boolean cascade) {
        Catalog remaining = ViewEdit.withoutUsers(catalog, "materialized view", view.name(), cascade);
        List<StorageStep> steps = new ArrayList<>(List.of(new StorageStep.DropTable(view)));
        Table source = remaining.tables().get(view.aggregation().orElseThrow().source());
        if (source != null) {
            for (Index index : source.indexes()) {
                boolean isNeeded = index.isConstraint()
                        || !index.name().equals(searchName(view.name()))
                        || isNeeded(source, index, remaining.withoutTable(view.name()));
                if (!isNeeded) {
                    Table after = without(source, index);
                    remaining = remaining.withTable(after);
                    steps.add(new StorageStep.DropIndex(after, index));
                    break;
                }
            }
        }
        return new CatalogEdit(remaining.withoutTable(view.name()), steps);
    }

    private static Table without(Table table, Index index) {
        return table.withIndexes(table.indexes().stream()
                .filter(other -> other.id() != index.id())
                .toList());
    }

    private static boolean isNeeded(Table source, Index index, Catalog catalog) {
        return catalog.tables().values().stream()
                .anyMatch(other -> other.aggregates(source) && !isWhole(other, without(source, index)));
    }

    private static boolean isWhole(Table view, Table source) {
        Aggregation aggregation = view.aggregation().orElseThrow();
        List<Integer> places = aggregation.groups().stream().map(Group::place).toList();
        return !aggregation.hasExtremes() || source.indexes().stream().anyMatch(index -> leadsTo(index, places));
    }

    /** The catalog without the materialized views of the table; an error if there are any and they are not to go. */
    static CatalogEdit withoutViewsOf(Table table, Catalog catalog, boolean cascade) {
        Catalog remaining = catalog;
        List<StorageStep> steps = new ArrayList<>();
        for (Table view : catalog.tables().values()) {
            if (!view.aggregates(table)) {
                continue;
            }
            if (!cascade) {
                throw new FulmarException(
                        ErrorCode.DEPENDENT_OBJECTS,
                        "materialized view " + view.name() + " uses table " + table.name()
                                + "; drop it first, or say CASCADE");
            }
            remaining = ViewEdit.withoutUsers(remaining, "materialized view", view.name(), true)
                    .withoutTable(view.name());
            steps.add(new StorageStep.DropTable(view));
        }
        return new CatalogEdit(remaining, steps);
    }

    /** What a change leaves must still be what the views were made from. */
    static CatalogEdit checked(CatalogEdit edit, Catalog before) {
        for (Table view : edit.catalog().tables().values()) {
            Aggregation aggregation = view.aggregation().orElse(null);
            if (aggregation == null || !view.equals(before.tables().get(view.name()))) {
                continue;
            }
            Table source = edit.catalog().tables().get(aggregation.source());
            Table old = before.table(aggregation.source());
            if (source == null || !isSame(aggregation, old, source) || !isWhole(view, source)) {
                throw new FulmarException(
                        ErrorCode.DEPENDENT_OBJECTS,
                        "the materialized view " + view.name() + " is made from what would change of "
                                + aggregation.source() + "; DROP VIEW " + view.name() + " first, and create it anew");
            }
        }
        return edit;
    }

    private static boolean isSame(Aggregation aggregation, Table before, Table after) {
        if (!before.partitioningColumn().equals(after.partitioningColumn())) {
            return false;
        }
        for (int column = 0; column < before.columns().size(); column++) {
            Column old = before.columns().get(column);
            if (!aggregation.reads(column)) {
                continue;
            }
            if (column >= after.columns().size()) {
                return false;
            }
            Column now = after.columns().get(column);
            if (!now.name().equals(old.name()) || !now.type().equals(old.type()) || now.nullable() != old.nullable()) {
                return false;
            }
        }
        return true;
    }

    /** Materialized views are no tables but for those who read them; indexes help with that. */
    static void checkIsTable(CatalogChange change, Catalog catalog) {
        String name = switch (change) {
            case CatalogChange.AlterTable alter -> alter.table();
            case CatalogChange.DropTable drop -> drop.name();
            case CatalogChange.PartitionTable partition -> partition.table();
            case CatalogChange.CreateIndex create -> create.unique() ? create.table() : "";
            default -> "";
        };
        Table table = catalog.tables().get(name);
        if (table != null && table.isAggregation()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    name + " is a materialized view; DROP VIEW and CREATE MATERIALIZED VIEW change it,"
                            + " and CREATE INDEX, without UNIQUE, makes reading it quicker");
        }
        if (change instanceof CatalogChange.CreateTable create) {
            create.foreignKeys().forEach(key -> {
                Table parent = catalog.tables().get(key.parent());
                if (parent != null && parent.isAggregation()) {
                    throw new FulmarException(
                            ErrorCode.NOT_SUPPORTED, key.name() + " refers to a materialized view; refer to its table");
                }
            });
        }
    }
}
