package dev.fulmar.engine.table;

import dev.fulmar.engine.memory.AddressTable;
import org.jspecify.annotations.Nullable;

/**
 * Base of work that prepares a table in use for a catalog change: rewrite, index build, view fill or constraint
 * validation. The rows are taken in pieces between transactions, see {@link RowSurvey}. One thread.
 */
public abstract sealed class TablePreparation implements RowObserver
        permits TableRewrite, ViewBackfill, IndexBackfill, ConstraintValidation {
    private final TableStore source;
    private @Nullable RowDependency dependency;
    private @Nullable Watch watch;

    TablePreparation(TableStore source) {
        this.source = source;
    }

    public final TableStore source() {
        return source;
    }

    abstract RowSurvey survey();

    /** Whether a row of the table that is changed so is to be looked at again. */
    abstract boolean isAbout(UpdateShape shape);

    /** From now on also what depends on rows that change is looked at again. */
    public final void dependOn(RowDependency rows) {
        dependency = rows;
        if (rows.watched() != source) {
            Watch begun = new Watch(rows);
            watch = begun;
            rows.watched().observe(begun);
        }
    }

    /** Stops observing all rows. */
    final void unobserve() {
        source.unobserve(this);
        Watch begun = watch;
        if (begun != null) {
            begun.rows.watched().unobserve(begun);
        }
    }

    /** Whether it hears of rows of the table. */
    final boolean isOfTable(TableStore table) {
        return source == table || (dependency != null && dependency.watched() == table);
    }

    @Override
    public final void changing(long row) {
        survey().changing(row);
        if (dependency != null && dependency.watched() == source) {
            again(dependency, row);
        }
    }

    @Override
    public final boolean isConcernedBy(UpdateShape shape) {
        return isAbout(shape)
                || (dependency != null && dependency.watched() == source && dependency.isConcernedBy(shape));
    }

    private void again(RowDependency rows, long row) {
        AddressTable dependents = new AddressTable();
        rows.dependents(row, dependent -> dependents.put(dependent, dependent));
        again(dependents);
    }

    /** All of them while every row still holds what it held. */
    private void again(AddressTable dependents) {
        while (dependents.size() > 0) {
            survey().changing(dependents.takeAny());
        }
    }

    /** An observer of rows of another table. */
    private final class Watch implements RowObserver {
        private final RowDependency rows;

        Watch(RowDependency rows) {
            this.rows = rows;
        }

        @Override
        public void changing(long row) {
            again(rows, row);
        }

        @Override
        public void changing(long row, long image, UpdateShape shape) {
            AddressTable dependents = new AddressTable();
            rows.dependents(row, dependent -> dependents.put(dependent, dependent));
            rows.newDependents(row, image, shape, dependent -> dependents.put(dependent, dependent));
            again(dependents);
        }

        @Override
        public boolean isConcernedBy(UpdateShape shape) {
            return rows.isConcernedBy(shape);
        }
    }

    /**
     * Does a bounded piece, while no transaction is under way; whether so little is left that the rest can be done
     * while everything waits.
     */
    final boolean next(int mostRows) {
        return survey().next(mostRows);
    }

    /** Whether rows change faster than pieces take them. */
    public final boolean isBehind() {
        return survey().isBehind();
    }

    /** Does all that is left. */
    final void finish() {
        survey().finish();
    }

    /** Gives back what was made. */
    abstract void discard();
}
