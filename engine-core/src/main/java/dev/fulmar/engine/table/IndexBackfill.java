package dev.fulmar.engine.table;

import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.Table;
import java.util.function.LongConsumer;

/**
 * An index that is being built while its table is in use. No statement uses it, and it refuses no row that is not
 * committed.
 */
public final class IndexBackfill extends TablePreparation implements RowSurvey.Work {
    private final Table table;
    private final TableIndex index;
    private final LongConsumer proof;
    private final RowSurvey survey;

    /**
     * @param table the definition with the index
     * @param proof fails for a row with which there cannot be the index; it reads columns of the index alone
     */
    IndexBackfill(TableStore source, Table table, TableIndex index, LongConsumer proof) {
        super(source);
        this.table = table;
        this.index = index;
        this.proof = proof;
        survey = new RowSurvey(source, this);
    }

    /**
     * Whether it is that one, of that table as it is defined then: after a change that came to nothing its id is
     * another index's.
     */
    boolean isOf(Table definition, Index wanted) {
        return index.definition().equals(wanted) && table.equals(definition);
    }

    /** It has the rows that were taken so far. */
    public TableIndex index() {
        return index;
    }

    @Override
    RowSurvey survey() {
        return survey;
    }

    @Override
    boolean isAbout(UpdateShape shape) {
        return shape.changesKeyOf(source(), index);
    }

    @Override
    public void take(long row) {
        proof.accept(row);
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
