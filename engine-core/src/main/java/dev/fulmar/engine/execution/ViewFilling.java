package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.operator.RowBudget;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.table.RowDependency;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.engine.table.UpdateShape;
import dev.fulmar.engine.table.ViewBackfill;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Fills a new materialized view from the rows of its sources on one partition, when the view is created or its creation
 * is replayed.
 */
public final class ViewFilling {
    private ViewFilling() {}

    /** Begins to make the view while its sources are in use; {@link #fill} completes it. */
    public static ViewBackfill begin(PartitionStorage storage, List<Table> sources, Table view) {
        Aggregation aggregation = view.aggregation().orElseThrow();
        int number = walked(aggregation, sources);
        ViewBackfill fold = storage.beginFold(sources.get(number), number, view);
        RowBudget withoutEnd = new RowBudget(() -> {});
        List<ViewSource> all = ViewSource.all(sources, storage);
        MaintainedView made = new MaintainedView(all, view, fold.target(), fold.undo(), withoutEnd);
        fold.foldBy(new ViewChanges(made, aggregation, number, all, withoutEnd));
        if (aggregation.join().isPresent()) {
            fold.dependOn(new Others(aggregation, number, all));
        }
        return fold;
    }

    /**
     * The number of the source whose rows are walked. A row of it is joined with few of the other's, so that it is
     * taken quickly.
     */
    private static int walked(Aggregation aggregation, List<Table> sources) {
        return aggregation.join().isPresent()
                        && isKey(aggregation.joinColumns(0), sources.get(0))
                        && !isKey(aggregation.joinColumns(1), sources.get(1))
                ? 1
                : 0;
    }

    private static boolean isKey(List<Integer> columns, Table table) {
        return table.indexes().stream()
                .anyMatch(index -> index.isConstraint()
                        && index.columns().stream().map(IndexColumn::column).allMatch(columns::contains));
    }

    /**
     * Makes the view, which is a table of the partition from then on. What slices have made is completed; else all rows
     * are taken. If it fails, nothing is left of it.
     *
     * @param sources with the indexes that the view needs
     */
    public static void fill(PartitionStorage storage, List<Table> sources, Table view) {
        storage.installFold(
                storage.preparation() instanceof ViewBackfill fold
                                && fold.table().equals(view)
                        ? fold
                        : begin(storage, sources, view));
    }

    /** The rows of the table that a new view does not walk: what it has of the other's rows depends on them. */
    private static final class Others implements RowDependency {
        private final Aggregation aggregation;
        private final int number;
        private final TableStore rows;
        private final JoinedRows walked;

        Others(Aggregation aggregation, int walked, List<ViewSource> sources) {
            this.aggregation = aggregation;
            number = 1 - walked;
            rows = sources.get(number).rows();
            this.walked = new JoinedRows(aggregation, walked, sources);
        }

        @Override
        public TableStore watched() {
            return rows;
        }

        @Override
        public boolean isConcernedBy(UpdateShape shape) {
            for (int column = 0; column < rows.layout().columnCount(); column++) {
                if (shape.changes(column) && aggregation.reads(number, column)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void dependents(long row, LongConsumer visitor) {
            walked.open(row);
            show(visitor);
        }

        @Override
        public void newDependents(long row, long image, UpdateShape shape, LongConsumer visitor) {
            walked.open(row, image, shape);
            show(visitor);
        }

        private void show(LongConsumer visitor) {
            for (long row = walked.next(); row != 0; row = walked.next()) {
                visitor.accept(row);
            }
        }
    }
}
