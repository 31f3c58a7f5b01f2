package dev.fulmar.engine.plan;

import dev.fulmar.foundation.error.ErrorCode;
import java.util.List;

/**
 * A demand on the number of rows that a query yields for a key.
 *
 * @param rows how many there may be
 * @param code of the error otherwise
 * @param message of the error, in which {@code %s} stands for the key
 * @param columns names of the key's columns, one for each parameter of the query
 */
public record Demand(Rows rows, ErrorCode code, String message, List<String> columns) {
    /** Nothing is demanded of a change. */
    public static final Demand NOTHING = new Demand(Rows.ANY, ErrorCode.INTERNAL, "", List.of());

    public Demand {
        columns = List.copyOf(columns);
    }

    /** Numbers of rows that are right. */
    public enum Rows {
        ANY,
        NONE,
        AT_MOST_ONE,
        AT_LEAST_ONE,

        /** One at most, for a write of one row, which is undone and counts as none if there are more. */
        ONE_OR_UNDONE;

        /** Whether so many rows are right. */
        public boolean allows(long count) {
            return switch (this) {
                case ANY -> true;
                case NONE -> count == 0;
                case AT_MOST_ONE, ONE_OR_UNDONE -> count <= 1;
                case AT_LEAST_ONE -> count >= 1;
            };
        }
    }
}
