package dev.fulmar.engine.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The work of an insert for a row whose unique key another row of the partition has. */
public sealed interface ConflictAction {
    /** The insert fails. */
    record Fail() implements ConflictAction {}

    /** The new row replaces the one that has its primary key. */
    record Replace() implements ConflictAction {}

    /**
     * The new row is left out.
     *
     * @param index id of the index of the key; {@link #ANY} for each unique key of the table
     */
    record Skip(int index) implements ConflictAction {
        /** Each unique key of the table: of its partition's rows here, of others by the steps that keep such keys. */
        public static final int ANY = -1;
    }

    /**
     * The row that has the key is changed.
     *
     * @param index id of the index of the key
     * @param assignments new values over the columns of the row that has the key, and behind them those of the new row
     * @param condition over the same columns; unless it is true, the new row is left out
     */
    record Change(
            int index,
            List<Operation.Assignment> assignments,
            @Nullable Expression condition) implements ConflictAction {
        public Change {
            assignments = List.copyOf(assignments);
        }
    }

    ConflictAction FAIL = new Fail();
    ConflictAction REPLACE = new Replace();
}
