package dev.fulmar.engine.table;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.memory.AddressTable;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.FulmarException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A materialized view that is being made from the rows of a table in use. Each row that it takes, or gives back, is a
 * transaction of the view's own.
 *
 * <p>A view of a join is made from the rows of one of the two tables, each with all of the other's that it is joined
 * with. Invariant: what the view has of a row that it has taken is what the row is joined with now. So before a row of
 * the other table comes, changes or goes, the view gives back the rows that it is joined with and those that it is
 * going to be joined with, as its {@link RowDependency}; they are taken again, with what there is then.
 */
public final class ViewBackfill extends TablePreparation implements RowSurvey.Work {
    /**
     * When the rows of a new view were committed, as far as snapshots are concerned: before all of these, in every copy
     * alike.
     */
    private static final long LONG_AGO = 1;

    /** Applies rows of its source to a view. Changes of the view are to be undone by {@link #undo}. */
    public interface Fold {
        /** A row counts from now on. */
        void take(long row);

        /** A row counts no more; it holds what it held when it was taken. */
        void takeBack(long row);

        /** All rows are taken. */
        void finish();
    }

    private final TableStore target;
    private final Table table;
    private final int number;
    private final UndoLog undo;
    private final AddressTable taken = new AddressTable();
    private final RowSurvey survey;
    private @Nullable Fold fold;
    private @Nullable FulmarException failure;

    /**
     * @param number of the source among those of the view
     * @param undo of this alone
     */
    ViewBackfill(TableStore source, int number, TableStore target, Table table, UndoLog undo) {
        super(source);
        this.number = number;
        this.target = target;
        this.table = table;
        this.undo = undo;
        undo.limit(false);
        undo.register(table.id(), target.undoTarget());
        survey = new RowSurvey(source, this);
    }

    /** The view that is made. */
    public Table table() {
        return table;
    }

    public TableStore target() {
        return target;
    }

    /** Undoes what fails. */
    public UndoLog undo() {
        return undo;
    }

    /** Sets the way in which rows are folded from now on. */
    public void foldBy(Fold newFold) {
        fold = newFold;
    }

    private Fold requiredFold() {
        Fold known = fold;
        if (known == null) {
            throw Invariants.breach("who folds is known before the first row");
        }
        return known;
    }

    @Override
    RowSurvey survey() {
        return survey;
    }

    @Override
    boolean isAbout(UpdateShape shape) {
        Aggregation aggregation = table.aggregation().orElseThrow();
        return IntStream.range(0, source().layout().columnCount())
                .anyMatch(column -> shape.changes(column) && aggregation.reads(number, column));
    }

    @Override
    public void take(long row) {
        FulmarException before = failure;
        if (before != null) {
            throw before;
        }
        if (!taken.contains(row)) {
            atOnce(() -> requiredFold().take(row));
            taken.put(row, row);
        }
    }

    /**
     * Takes the row back. A failure is kept for the preparation: the transaction that changes the row has nothing to do
     * with it.
     */
    @Override
    public void takeBack(long row) {
        if (taken.remove(row) != 0) {
            try {
                atOnce(() -> requiredFold().takeBack(row));
            } catch (FulmarException e) {
                failure = e;
            }
        }
    }

    /** All rows are taken: the view is what its query yields. */
    void complete() {
        FulmarException before = failure;
        if (before != null) {
            throw before;
        }
        Invariants.check(
                taken.size() == source().rowCount(), "a view is complete once it has taken each row of its source");
        atOnce(() -> requiredFold().finish());
        undo.close();
    }

    private void atOnce(Runnable change) {
        boolean complete = false;
        try {
            change.run();
            complete = true;
        } finally {
            if (complete) {
                undo.commit(LONG_AGO);
            } else {
                undo.rollback();
            }
        }
    }

    @Override
    void discard() {
        undo.close();
        target.clear();
    }
}
