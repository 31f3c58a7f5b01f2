package dev.fulmar.postgres.copy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;

/** Marks of the columns that an option of a COPY names. */
final class ColumnMarks {
    private ColumnMarks() {}

    /** Whether each column is named; fails for names of other columns. */
    static boolean[] of(List<String> named, List<String> columns, String option) {
        boolean[] marks = new boolean[columns.size()];
        for (String name : named) {
            int column = columns.indexOf(name);
            if (column < 0) {
                throw new FulmarException(
                        ErrorCode.UNKNOWN_OBJECT,
                        option + " column \"" + name + "\" not referenced by COPY; name columns that it has");
            }
            marks[column] = true;
        }
        return marks;
    }
}
