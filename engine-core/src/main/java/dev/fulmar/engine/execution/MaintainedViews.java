package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.engine.table.UpdateShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Updates all materialized views over one table when a statement inserts, changes or deletes rows of the table. A view
 * may join the table with another. The rows of views change in the statement's transaction as other rows do: they are
 * undone, logged, replicated and checkpointed as these. Where changes are applied as values, those of the views are
 * among them, and nothing is derived again.
 */
final class MaintainedViews {
    private final List<ViewChanges> views;
    private final RowImage before;
    private final int[] columns;
    private @Nullable UpdateShape lastShape;
    private boolean isConcerned;

    private MaintainedViews(List<ViewChanges> views, TableStore source, int[] columns) {
        this.views = views;
        this.columns = columns;
        before = new RowImage(source.layout());
    }

    /** Null if the table has no materialized view. */
    static @Nullable MaintainedViews of(ExecutionContext context, Catalog catalog, Table table) {
        List<Table> tables = catalog.tables().values().stream()
                .filter(candidate -> candidate.aggregates(table))
                .toList();
        if (tables.isEmpty()) {
            return null;
        }
        PartitionStorage storage = context.requiredStorage();
        TableStore source = storage.table(table.id());
        List<ViewChanges> views = new ArrayList<>();
        Set<Integer> read = new TreeSet<>();
        for (Table view : tables) {
            Aggregation aggregation = view.aggregation().orElseThrow();
            int number = aggregation.number(table.name());
            List<ViewSource> sources = ViewSource.all(aggregation, catalog, storage);
            MaintainedView made =
                    new MaintainedView(sources, view, storage.table(view.id()), storage.undoLog(), context.budget());
            views.add(new ViewChanges(made, aggregation, number, sources, context.budget()));
            IntStream.range(0, table.columns().size())
                    .filter(column -> aggregation.reads(number, column))
                    .forEach(read::add);
        }
        int[] columns = read.stream().mapToInt(Integer::intValue).toArray();
        return new MaintainedViews(views, source, columns);
    }

    /** The statement begins. */
    void begin() {
        views.forEach(ViewChanges::begin);
    }

    /** Whether an update of the columns changes a view. */
    boolean areConcernedBy(UpdateShape shape) {
        if (lastShape != shape) {
            lastShape = shape;
            isConcerned = IntStream.of(columns).anyMatch(shape::changes);
        }
        return isConcerned;
    }

    /** A row of the table is about to change. */
    void changing(long row) {
        before.clear();
        for (int column : columns) {
            before.copyColumn(column, row);
        }
    }

    /** It has changed. */
    void changed(long row) {
        for (int i = 0; i < views.size(); i++) {
            views.get(i).replace(before.address(), row);
        }
    }

    /** A row is there. */
    void inserted(long row) {
        for (int i = 0; i < views.size(); i++) {
            views.get(i).take(row);
        }
    }

    /** A row was deleted in this transaction; what it held can still be read. */
    void deleted(long row) {
        for (int i = 0; i < views.size(); i++) {
            views.get(i).takeBack(row);
        }
    }

    /** The statement has changed all that it changes. */
    void finish() {
        views.forEach(ViewChanges::finish);
    }
}
