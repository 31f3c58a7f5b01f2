package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.execution.operator.RowBudget;
import dev.fulmar.engine.table.ViewBackfill;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Updates one materialized view as rows of one source table come or go, after joining each with the view's other
 * source, if any. Invariant, for a view of a join: between two calls the view has the pairs of the rows that are there,
 * and no other. A row that comes or goes brings or takes its pairs with the rows that the other table has at that
 * moment, so it does not matter in which order a statement changes the two.
 */
final class ViewChanges implements ViewBackfill.Fold {
    private final MaintainedView view;
    private final int number;
    private final RowBudget budget;
    private final long[] rows;
    private final @Nullable JoinedRows joined;

    /** @param number of the source */
    ViewChanges(MaintainedView view, Aggregation aggregation, int number, List<ViewSource> sources, RowBudget budget) {
        this.view = view;
        this.number = number;
        this.budget = budget;
        rows = view.rows();
        joined = aggregation.join().isPresent() ? new JoinedRows(aggregation, 1 - number, sources) : null;
    }

    /** A statement begins. */
    void begin() {
        view.begin();
    }

    @Override
    public void take(long row) {
        rows[number] = row;
        JoinedRows others = joined;
        if (others == null) {
            view.take();
            return;
        }
        others.open(row);
        while (next(others)) {
            view.take();
        }
    }

    @Override
    public void takeBack(long row) {
        rows[number] = row;
        JoinedRows others = joined;
        if (others == null) {
            view.takeBack();
            return;
        }
        others.open(row);
        while (next(others)) {
            view.takeBack();
        }
    }

    /** A row has changed. */
    void replace(long before, long after) {
        JoinedRows others = joined;
        if (others == null) {
            view.replace(number, before, after);
        } else if (others.areAlike(before, after)) {
            others.open(after);
            while (next(others)) {
                view.replace(number, before, after);
            }
        } else {
            takeBack(before);
            take(after);
        }
    }

    private boolean next(JoinedRows others) {
        budget.spendRow();
        rows[1 - number] = others.next();
        return rows[1 - number] != 0;
    }

    @Override
    public void finish() {
        view.finish();
    }
}
