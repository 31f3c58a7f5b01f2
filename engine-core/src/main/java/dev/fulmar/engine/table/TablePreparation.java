package dev.fulmar.engine.table;

/** What a change of the catalog needs of a table's rows, made while the table is in use; see {@link RowSurvey}. One thread. */
public abstract sealed class TablePreparation implements RowObserver
        permits TableShadow, TableFold, GrowingIndex, RowProof {
    private final TableStore source;

    TablePreparation(TableStore source) {
        this.source = source;
    }

    public final TableStore source() {
        return source;
    }

    abstract RowSurvey survey();

    @Override
    public final void changing(long row) {
        survey().changing(row);
    }

    /** Does a bounded piece, while no transaction is under way; whether so little is left that the rest can be done while everything waits. */
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
