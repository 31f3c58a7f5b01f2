package dev.fulmar.engine.table;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.memory.AddressTable;
import dev.fulmar.foundation.check.Invariants;
import org.jspecify.annotations.Nullable;

/**
 * A table that is being made from another one while that is in use. No copy breaks a unique key: copies of rows that
 * change go at once.
 */
public final class TableRewrite extends TablePreparation implements RowSurvey.Work {
    /** Copies a row of the source to the shadow. */
    @FunctionalInterface
    public interface RowCopier {
        /** Address of the copy. */
        long copy(long row);
    }

    private final TableStore target;
    private final Table table;
    private final AddressTable copies = new AddressTable();
    private final RowSurvey survey;
    private @Nullable RowCopier copier;

    TableRewrite(TableStore source, TableStore target, Table table) {
        super(source);
        this.target = target;
        this.table = table;
        survey = new RowSurvey(source, this);
    }

    /** The table that is made. */
    public Table table() {
        return table;
    }

    public TableStore target() {
        return target;
    }

    /** Sets the way in which rows are copied from now on. */
    public void copyBy(RowCopier newCopier) {
        copier = newCopier;
    }

    @Override
    boolean isAbout(UpdateShape shape) {
        return true;
    }

    @Override
    RowSurvey survey() {
        return survey;
    }

    @Override
    public void take(long row) {
        RowCopier known = copier;
        if (known == null) {
            throw Invariants.breach("who copies is known before the first copy");
        }
        if (!copies.contains(row)) {
            copies.put(row, known.copy(row));
        }
    }

    @Override
    public void takeBack(long row) {
        long copy = copies.remove(row);
        if (copy != 0) {
            target.discard(copy);
        }
    }

    @Override
    void discard() {
        target.clear();
    }
}
