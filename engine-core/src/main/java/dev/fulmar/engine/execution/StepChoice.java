package dev.fulmar.engine.execution;

import dev.fulmar.engine.plan.Demand;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.StringJoiner;

/**
 * Selects, for each row that the source of a statement in steps yields, the changes to execute, and says what the
 * statement yields itself. Of a MERGE, the change is that of the matched clause. Of a write with keys over partitions,
 * changes are left out that have a null in their key. Immutable.
 */
public final class StepChoice {
    private final boolean chosen;
    private final List<Demand> demands;
    private final int keyColumns;

    StepChoice(StatementPlan.Steps steps) {
        chosen = steps.chosen();
        demands = steps.demands();
        keyColumns = steps.keyColumns();
    }

    /** Columns of the source before those of the changes. */
    public int columns() {
        return chosen ? 1 : 0;
    }

    /** Whether the source is the write itself; then its rows are the statement's, from {@link #keyColumns} on. */
    public boolean isUpkeep() {
        return !demands.isEmpty();
    }

    /** Columns of the source's rows that are parameters of changes. */
    public int keyColumns() {
        return keyColumns;
    }

    /**
     * Whether the change of this position is run for the block's row.
     *
     * @param firstColumn of the change's parameters
     * @param parameters how many it has
     */
    public boolean isFor(ResultBlock row, int change, int firstColumn, int parameters) {
        if (isUpkeep()) {
            return isWhole(row, firstColumn, parameters);
        }
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

    private static boolean isWhole(ResultBlock row, int firstColumn, int parameters) {
        for (int column = firstColumn; column < firstColumn + parameters; column++) {
            if (row.isNull(column)) {
                return false;
            }
        }
        return true;
    }

    /** The statement's count, of which the change is a part. */
    public long count(long before, long changed, int change) {
        return chosen || change == 0 ? before + changed : before;
    }

    /** Whether the rows that the change yields are rows of the statement. */
    public boolean yields(int change, int changes) {
        return !isUpkeep() && (chosen || change == changes - 1);
    }

    /** Whether the change is a query of which something is demanded. */
    public boolean isDemanding(int change) {
        return isUpkeep() && demands.get(change).rows() != Demand.Rows.ANY;
    }

    /** Whether the write is undone, rather than to fail, where one of its keys is there. */
    public boolean mayUndo() {
        return demands.stream().anyMatch(demand -> demand.rows() == Demand.Rows.ONE_OR_UNDONE);
    }

    /** Whether the write is to be undone, rather than to fail, if the change's query yields that many rows. */
    public boolean isUndone(int change, long rows) {
        Demand demand = demands.get(change);
        return demand.rows() == Demand.Rows.ONE_OR_UNDONE && !demand.rows().allows(rows);
    }

    /** Whether the change's query looks for a row that the write refers to. */
    public boolean looksForReference(int change) {
        return isUpkeep() && demands.get(change).rows() == Demand.Rows.AT_LEAST_ONE;
    }

    /** Fails if the rows that the change's query yields for the block's row are not as demanded. */
    public void require(int change, long rows, ResultBlock row, int firstColumn) {
        Demand demand = demands.get(change);
        if (!demand.rows().allows(rows)) {
            throw new FulmarException(demand.code(), demand.message().replace("%s", key(demand, row, firstColumn)));
        }
    }

    private static String key(Demand demand, ResultBlock row, int firstColumn) {
        StringJoiner key = new StringJoiner(", ", "(", ")");
        for (int i = 0; i < demand.columns().size(); i++) {
            int column = firstColumn + i;
            String text = row.string(column);
            key.add(demand.columns().get(i) + " = "
                    + (row.kind(column).isText() || row.kind(column) == TypeKind.ENUM ? "'" + text + "'" : text));
        }
        return key.toString();
    }
}
