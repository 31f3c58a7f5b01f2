package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.operator.RowBudget;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.table.TableFold;

/** Makes a materialized view of the rows that its source has on a partition. */
public final class ViewFilling {
    private ViewFilling() {}

    /** Begins to make the view while its source is in use; {@link #fill} completes it. */
    public static TableFold begin(PartitionStorage storage, Table source, Table view) {
        TableFold fold = storage.beginFold(source, view);
        RowBudget withoutEnd = new RowBudget(() -> {});
        fold.foldBy(new MaintainedView(source, fold.source(), view, fold.target(), fold.undo(), withoutEnd));
        return fold;
    }

    /**
     * Makes the view, which is a table of the partition from then on. What slices have made is completed; else all rows are taken. If it fails, nothing is left of
     * it.
     *
     * @param source with the indexes that the view needs
     */
    public static void fill(PartitionStorage storage, Table source, Table view) {
        storage.installFold(
                storage.preparation() instanceof TableFold fold && fold.table().equals(view)
                        ? fold
                        : begin(storage, source, view));
    }
}
