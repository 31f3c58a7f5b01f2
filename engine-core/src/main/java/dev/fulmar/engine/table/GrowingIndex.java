package dev.fulmar.engine.table;

import dev.fulmar.engine.catalog.Index;

/** An index that is being built while its table is in use. No statement uses it, and it refuses no row that is not committed. */
public final class GrowingIndex extends TablePreparation implements RowSurvey.Work {
    private final TableIndex index;
    private final RowSurvey survey;

    GrowingIndex(TableStore source, TableIndex index) {
        super(source);
        this.index = index;
        survey = new RowSurvey(source, this);
    }

    boolean isOf(Index definition) {
        return index.definition().equals(definition);
    }

    TableIndex index() {
        return index;
    }

    @Override
    RowSurvey survey() {
        return survey;
    }

    @Override
    public boolean isConcernedBy(UpdateShape shape) {
        return shape.changesKeyOf(source(), index);
    }

    @Override
    public void take(long row) {
        index.insert(source().bucketOf(row), row);
    }

    @Override
    public void takeBack(long row) {
        index.remove(source().bucketOf(row), row);
    }

    @Override
    void discard() {
        index.clear();
    }
}
