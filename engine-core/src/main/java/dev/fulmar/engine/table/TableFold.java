package dev.fulmar.engine.table;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.FulmarException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A materialized view that is being made from the rows of a table in use. Each row that it takes, or gives back, is a transaction of the view's own. */
public final class TableFold extends TablePreparation implements RowSurvey.Work {
    /** When the rows of a new view were committed, as far as snapshots are concerned: before all of these, in every copy alike. */
    private static final long LONG_AGO = 1;

    /** What becomes of a view by rows of its source. Changes of the view are to be undone by {@link #undo}. */
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
    private final UndoLog undo;
    private final AddressTable taken = new AddressTable();
    private final RowSurvey survey;
    private @Nullable Fold fold;
    private @Nullable FulmarException failure;

    /** @param undo of this alone */
    TableFold(TableStore source, TableStore target, Table table, UndoLog undo) {
        super(source);
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

    /** How rows are folded from now on. */
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
                .anyMatch(column -> shape.changes(column) && aggregation.reads(column));
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

    /** Whoever changes the row has nothing to do with what fails here. */
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
