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
import dev.fulmar.engine.catalog.KeyName;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Builds the next catalog when a materialized view is created or dropped, and refuses changes of its sources while it
 * exists.
 */
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
        Aggregation aggregation = create.aggregation();
        List<Table> sources = new ArrayList<>();
        for (int number = 0; number < aggregation.sourceCount(); number++) {
            Table before = catalog.table(aggregation.source(number));
            if (!before.equals(create.bases().get(number))) {
                throw TableEdit.changedMeanwhile(before);
            }
            checkJoinIndex(create.name(), aggregation, number, before);
            sources.add(before);
        }
        checkNames(create.name(), aggregation);
        List<StorageStep> steps = new ArrayList<>();
        Catalog changed = catalog;
        Table searched = sources.get(aggregation.searched());
        Index search = searchIndex(create.name(), aggregation, searched, catalog.nextId());
        if (search != null) {
            CatalogEdit.checkNewIndex(catalog, search.name());
            List<Index> indexes = new ArrayList<>(searched.indexes());
            indexes.add(search);
            searched = searched.withIndexes(indexes);
            sources.set(aggregation.searched(), searched);
            changed = changed.withTable(searched);
            steps.add(new StorageStep.CreateIndex(searched, search));
        }
        Table view = table(create.name(), aggregation, sources, changed.nextId());
        view.indexes().forEach(index -> CatalogEdit.checkNewIndex(catalog, index.name()));
        steps.add(new StorageStep.FillView(sources, view));
        return new CatalogEdit(changed.withTable(view), steps);
    }

    /**
     * Checks that a write of one table of a join finds the joined rows by an index of the other. A view that is made in
     * slices needs that index from the beginning.
     */
    private static void checkJoinIndex(String view, Aggregation aggregation, int number, Table source) {
        if (!isJoined(aggregation, number, source)) {
            String columns = aggregation.joinColumns(number).stream()
                    .map(column -> source.columns().get(column).name())
                    .collect(Collectors.joining(", "));
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "materialized view " + view + " finds the rows of " + source.name()
                            + " by the columns that it joins with, and no ordered index of all rows begins with one of them; CREATE INDEX i ON "
                            + source.name() + " (" + columns + ") first");
        }
    }

    /** Whether the rows of the source with the number are found for a row of the other. */
    private static boolean isJoined(Aggregation aggregation, int number, Table source) {
        List<Integer> columns = aggregation.joinColumns(number);
        return columns.isEmpty() || source.indexes().stream().anyMatch(index -> index.leadingKeys(columns) > 0);
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

    /** The index that finds a least or greatest value anew; null if none is needed or the source has one as good. */
    private static @Nullable Index searchIndex(String name, Aggregation aggregation, Table source, int id) {
        List<Integer> places = aggregation.searchedColumns();
        Optional<Measure> first =
                aggregation.measures().stream().filter(Measure::isExtreme).findFirst();
        if (first.isEmpty()) {
            return null;
        }
        int value = first.get().argument().orElseThrow() instanceof Expression.ColumnReference reference
                        && aggregation.sourceOf(reference.index()) == aggregation.searched()
                        && !places.contains(aggregation.columnOf(reference.index()))
                ? aggregation.columnOf(reference.index())
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

    /** The table that keeps the view's rows. */
    private static Table table(String name, Aggregation aggregation, List<Table> sources, int id) {
        List<Column> columns = new ArrayList<>();
        List<Integer> primaryKey = new ArrayList<>();
        for (Group group : aggregation.groups()) {
            Table source = sources.get(aggregation.sourceOf(group.place()));
            Column column = source.columns().get(aggregation.columnOf(group.place()));
            if (!group.nullable()) {
                primaryKey.add(columns.size());
            }
            columns.add(new Column(group.name(), column.type(), group.nullable(), null));
        }
        if (aggregation.isKeyed()) {
            primaryKey.add(columns.size());
            columns.add(new Column("#KEY", new ColumnType(TypeKind.VARBINARY, KEY_BYTES, 0), false, null));
        }
        for (Measure measure : aggregation.measures()) {
            columns.add(new Column("#" + columns.size(), measure.type(), measure.isExtreme(), null));
        }
        List<IndexColumn> key = primaryKey.stream()
                .map(column -> new IndexColumn(column, false))
                .toList();
        String keyName = KeyName.usual(name);
        List<Index> indexes = List.of(
                new Index(id + 1, keyName, IndexKind.HASH, true, true, key),
                new Index(id + 2, keyName + "_ORDER", IndexKind.ORDERED, true, true, key));
        Table made = new Table(id, name, columns, partitioning(aggregation, sources), primaryKey, indexes);
        return made.withAggregation(aggregation);
    }

    /** The group whose column is the partitioning column of the view's rows; empty if all sources are replicated. */
    private static OptionalInt partitioning(Aggregation aggregation, List<Table> sources) {
        if (sources.stream().allMatch(Table::isReplicated)) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(IntStream.range(0, aggregation.groups().size())
                .filter(group -> {
                    int place = aggregation.groups().get(group).place();
                    OptionalInt column =
                            sources.get(aggregation.sourceOf(place)).partitioningColumn();
                    return column.equals(OptionalInt.of(aggregation.columnOf(place)));
                })
                .findFirst()
                .orElseThrow());
    }

    /** The catalog without the view and the index that came with it. */
    static CatalogEdit drop(Table view, Catalog catalog, boolean cascade) {
        Catalog remaining = ViewEdit.withoutUsers(catalog, "materialized view", view.name(), cascade);
        List<StorageStep> steps = new ArrayList<>(List.of(new StorageStep.DropTable(view)));
        return withoutSearchIndex(view, remaining.withoutTable(view.name()), "", steps);
    }

    /**
     * The catalog without the index that came with the view, which is gone.
     *
     * @param going a table that goes as well, with its indexes
     */
    private static CatalogEdit withoutSearchIndex(Table view, Catalog catalog, String going, List<StorageStep> steps) {
        Aggregation aggregation = view.aggregation().orElseThrow();
        Table source = catalog.tables().get(aggregation.source(aggregation.searched()));
        if (source == null || source.name().equals(going)) {
            return new CatalogEdit(catalog, steps);
        }
        for (Index index : source.indexes()) {
            boolean isNeeded = index.isConstraint()
                    || !index.name().equals(searchName(view.name()))
                    || isNeeded(source, index, catalog);
            if (!isNeeded) {
                Table after = without(source, index);
                steps.add(new StorageStep.DropIndex(after, index));
                return new CatalogEdit(catalog.withTable(after), steps);
            }
        }
        return new CatalogEdit(catalog, steps);
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

    /** Whether the source has the indexes that the view needs of it. */
    private static boolean isWhole(Table view, Table source) {
        Aggregation aggregation = view.aggregation().orElseThrow();
        int number = aggregation.number(source.name());
        List<Integer> places = aggregation.searchedColumns();
        boolean isSearched = !aggregation.hasExtremes()
                || number != aggregation.searched()
                || source.indexes().stream().anyMatch(index -> leadsTo(index, places));
        return isSearched && isJoined(aggregation, number, source);
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
            steps.add(new StorageStep.DropTable(view));
            Catalog without = ViewEdit.withoutUsers(remaining, "materialized view", view.name(), true)
                    .withoutTable(view.name());
            remaining = withoutSearchIndex(view, without, table.name(), steps).catalog();
        }
        return new CatalogEdit(remaining, steps);
    }

    /** Refuses a change after which a source no longer is what a view was made from. */
    static CatalogEdit checked(CatalogEdit edit, Catalog before) {
        for (Table view : edit.catalog().tables().values()) {
            Aggregation aggregation = view.aggregation().orElse(null);
            if (aggregation == null || !view.equals(before.tables().get(view.name()))) {
                continue;
            }
            for (int number = 0; number < aggregation.sourceCount(); number++) {
                String name = aggregation.source(number);
                Table source = edit.catalog().tables().get(name);
                if (source == null
                        || !isSame(aggregation, number, before.table(name), source)
                        || !isWhole(view, source)) {
                    throw new FulmarException(
                            ErrorCode.DEPENDENT_OBJECTS,
                            "the materialized view " + view.name() + " is made from what would change of " + name
                                    + "; DROP VIEW " + view.name() + " first, and create it anew");
                }
            }
        }
        return edit;
    }

    private static boolean isSame(Aggregation aggregation, int number, Table before, Table after) {
        if (!before.partitioningColumn().equals(after.partitioningColumn())) {
            return false;
        }
        for (int column = 0; column < before.columns().size(); column++) {
            Column old = before.columns().get(column);
            if (!aggregation.reads(number, column)) {
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

    /** Refuses a change that treats a materialized view as a table; a non-unique index on one is allowed. */
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
