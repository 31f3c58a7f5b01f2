package dev.fulmar.engine.execution;

import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Selects, for each row that a MERGE's query yields, the change to execute: the update, delete or insert of the matched
 * clause. Other writes that are planned as {@code StatementPlan.Steps} execute all their changes for each row.
 */
public final class StepChoice {
    private final boolean chosen;

    public StepChoice(boolean chosen) {
        this.chosen = chosen;
    }

    /** Columns of the source before those of the changes. */
    public int columns() {
        return chosen ? 1 : 0;
    }

    /** Whether the change of this position is run for the block's row. */
    public boolean isFor(ResultBlock row, int change) {
        if (!chosen) {
            return true;
        }
        if (row.isNull(0)) {
            return false;
        }
        long number = row.getLong(0);
        if (number < 0) {
            throw new FulmarException(
                    ErrorCode.CARDINALITY_VIOLATION,
                    "several rows of the source match one row of the table, so that it is not clear what becomes of it;"
                            + " let the source have one row for each, as with GROUP BY");
        }
        return number == change;
    }

    /** The statement's count, of which the change is a part. */
    public long count(long before, long changed, int change) {
        return chosen || change == 0 ? before + changed : before;
    }

    /** Whether the rows that the change yields are rows of the statement. */
    public boolean yields(int change, int changes) {
        return chosen || change == changes - 1;
    }
}
