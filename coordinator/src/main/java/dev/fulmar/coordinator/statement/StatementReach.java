package dev.fulmar.coordinator.statement;

import dev.fulmar.coordinator.access.StatementNeeds;
import dev.fulmar.coordinator.routing.Reach;
import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.RowArea;
import dev.fulmar.engine.plan.ConflictAction;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.plan.TableMarks;
import dev.fulmar.foundation.check.Invariants;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a statement reaches. Of a write it is known if the statement is about the rows of one table, and these
 * have nothing that follows them: no materialized view, and no rows of other tables that change or are asked for.
 * Immutable.
 */
final class StatementReach {
    private final boolean isQuery;

    /** Tables of which it reads more than the rows of its area; those of a query about which no area tells. */
    private final long read;

    /** The table that the statement is about; null if nothing is known of a write, or a query is about several. */
    private final @Nullable Table table;

    /** Whether it is an INSERT, whose rows are known. */
    private final boolean isInsert;

    /** Whether a write returns rows that were there; those that it makes itself are the same in all states. */
    private final boolean showsRows;

    /** Tables to which the rows refer. */
    private final List<Parent> parents;

    /** Whether two rows of other primary keys may be in each other's way. */
    private final boolean hasSeveralKeys;

    /** A table to which a foreign key of the written table refers. */
    private record Parent(Table table, ForeignKey key) {}

    private StatementReach(
            boolean isQuery, boolean isInsert, boolean showsRows, long read, @Nullable Table table, Catalog catalog) {
        Invariants.check(!(isQuery && isInsert), "an INSERT is no query");
        this.isQuery = isQuery;
        this.isInsert = isInsert;
        this.showsRows = showsRows;
        this.read = read;
        this.table = table;
        this.parents = table == null || isQuery ? List.of() : parents(table, catalog);
        this.hasSeveralKeys = table != null && keys(table) > 1;
    }

    /** A key may have an index of each kind. One that counts for some rows, or is computed, is a key of its own. */
    private static long keys(Table table) {
        return table.indexes().stream()
                .filter(Index::unique)
                .map(index -> index.isConstraint()
                        ? index.columns().stream()
                                .map(IndexColumn::column)
                                .sorted()
                                .toList()
                        : List.of(-index.id()))
                .distinct()
                .count();
    }

    static StatementReach of(StatementPlan plan, Catalog catalog) {
        Set<Integer> accessed = StatementNeeds.accessed(plan, catalog);
        Table only = accessed.size() == 1
                ? table(accessed.iterator().next(), catalog).orElse(null)
                : null;
        if (plan.isReadOnly()) {
            long read = TableMarks.read(plan);
            boolean isOfOne = only != null
                    && read == TableMarks.of(only.id())
                    && isPlain(plan)
                    && AreaRules.hold(plan, only, catalog);
            return new StatementReach(true, false, true, read, isOfOne ? only : null, catalog);
        }
        boolean returnsRows = !plan.columns().isEmpty();
        boolean mayBeKnown = plan.steps().isEmpty() && !TableMarks.asksSequence(plan);
        if (only == null || !mayBeKnown || !isKnown(plan, only, catalog)) {
            return new StatementReach(false, false, returnsRows, TableMarks.ALL, null, catalog);
        }
        boolean isInsert = plan.fragments().getFirst().operation() instanceof Operation.Insert;
        boolean showsRows = returnsRows && !(isInsert && failsOnConflict(plan));
        long read = AreaRules.hold(plan, only, catalog) ? TableMarks.NONE : TableMarks.of(only.id());
        return new StatementReach(false, isInsert, showsRows, read, only, catalog);
    }

    private static boolean isPlain(StatementPlan plan) {
        return plan.fragments().size() == 1 && plan.steps().isEmpty();
    }

    private static boolean failsOnConflict(StatementPlan plan) {
        return plan.fragments().getFirst().operation() instanceof Operation.Insert insert
                && insert.onConflict() instanceof ConflictAction.Fail;
    }

    private static Optional<Table> table(int id, Catalog catalog) {
        return catalog.tables().values().stream()
                .filter(table -> table.id() == id)
                .findFirst();
    }

    private static boolean isKnown(StatementPlan plan, Table table, Catalog catalog) {
        boolean hasViews = catalog.tables().values().stream()
                .anyMatch(view -> view.aggregation()
                        .filter(kept -> isOf(kept, table.name()))
                        .isPresent());
        if (hasViews
                || table.isAggregation()
                || table.sequence().isPresent()
                || plan.fragments().size() != 1) {
            return false;
        }
        boolean isReferredTo = catalog.tables().values().stream()
                .anyMatch(child -> child.foreignKeys().stream()
                        .anyMatch(key -> key.parent().equals(table.name())));
        return switch (plan.fragments().getFirst().operation()) {
            case Operation.Query _ -> false;
            case Operation.Insert insert ->
                insert.source() instanceof Relation.Values
                        && switch (insert.onConflict()) {
                            case ConflictAction.Fail _, ConflictAction.Skip _ -> true;
                            case ConflictAction.Replace _ -> !isReferredTo;
                            case ConflictAction.Change change -> !changeKey(change.assignments(), table);
                        };
            case Operation.Update update -> !changeKey(update.assignments(), table);
            case Operation.Delete _ -> !isReferredTo;
        };
    }

    private static boolean isOf(Aggregation view, String table) {
        return view.source().equals(table)
                || view.join().filter(join -> join.source().equals(table)).isPresent();
    }

    /** Whether they change a column by which a row is found, is alone, or refers to another one. */
    private static boolean changeKey(List<Operation.Assignment> assignments, Table table) {
        Set<Integer> assigned = new TreeSet<>();
        assignments.forEach(assignment -> assigned.add(assignment.column()));
        return IntStream.range(0, table.columns().size())
                .filter(column -> table.isChanged(column, assigned::contains)) // also one that is computed of others
                .anyMatch(changed -> {
                    String name = table.columns().get(changed).name();
                    return table.indexes().stream().anyMatch(index -> index.unique() && isOf(index, changed))
                            || table.foreignKeys().stream()
                                    .anyMatch(key -> key.columns().contains(name));
                });
    }

    private static boolean isOf(Index index, int column) {
        return index.computesFrom(column)
                || index.columns().stream().anyMatch(key -> !key.isComputed() && key.column() == column);
    }

    private static List<Parent> parents(Table table, Catalog catalog) {
        List<Parent> parents = new ArrayList<>();
        for (ForeignKey key : table.foreignKeys()) {
            Table parent = catalog.tables().get(key.parent());
            if (parent != null) {
                parents.add(new Parent(parent, key));
            }
        }
        return parents;
    }

    /**
     * The reach with parameters.
     *
     * @param area the rows of its table that it reads or changes; null if it does not tell
     */
    Reach reach(@Nullable RowArea area) {
        Table own = table;
        if (own == null || area == null || area.table() != own.id()) {
            return isQuery ? Reach.ofTables(read) : Reach.anywhere(showsRows);
        }
        if (isQuery) {
            return new Reach(TableMarks.NONE, List.of(area), null, true);
        }
        List<RowArea> rows = new ArrayList<>();
        if (!isInsert) {
            rows.add(area);
        } else if (own.indexes().stream().anyMatch(Index::unique)) {
            rows.add(withSameKey(own, area));
        }
        for (Parent parent : parents) {
            rows.add(parentRows(parent, own, area));
        }
        long tables = hasSeveralKeys ? TableMarks.of(own.id()) : read;
        return new Reach(tables, rows, area, showsRows);
    }

    /** Rows that are in the way of new ones, whatever else they have. */
    private static RowArea withSameKey(Table own, RowArea area) {
        return new RowArea(
                own.id(),
                0,
                area.extents().stream()
                        .filter(extent -> isOfKey(own, extent.column()))
                        .toList());
    }

    private static boolean isOfKey(Table own, int column) {
        return own.indexes().stream()
                .filter(Index::unique)
                .flatMap(index -> index.columns().stream())
                .anyMatch(key -> !key.isComputed() && key.column() == column);
    }

    /** The rows to which those of the area refer. Values of columns of other types are told in other ways. */
    private static RowArea parentRows(Parent parent, Table own, RowArea area) {
        List<RowArea.Extent> extents = new ArrayList<>();
        for (int i = 0; i < parent.key.columns().size(); i++) {
            int from = own.columnIndex(parent.key.columns().get(i));
            int to = parent.table.columnIndex(parent.key.parentColumns().get(i));
            boolean isSame = own.columns()
                    .get(from)
                    .type()
                    .equals(parent.table.columns().get(to).type());
            for (RowArea.Extent extent : area.extents()) {
                if (isSame && extent.column() == from) {
                    extents.add(new RowArea.Extent(to, extent.from(), extent.to(), extent.only()));
                }
            }
        }
        extents.sort(Comparator.comparingInt(RowArea.Extent::column));
        return new RowArea(parent.table.id(), 0, extents);
    }
}
