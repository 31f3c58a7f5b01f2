package dev.fulmar.postgres.with;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.data.ArrayValues;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of an item of WITH as texts of arrays, one for each column. */
final class PassedRows {
    /** The bytes of an array. */
    static final int MOST_BYTES = 1 << 20;

    /** All arrays of an item. */
    private static final long MOST_BYTES_OF_ALL = 16L << 20;

    /** The largest element that is no text, with its mark. */
    private static final int ELEMENT_BYTES = 17;

    private PassedRows() {}

    /**
     * The arrays of the columns.
     *
     * @param name of the item, for errors
     * @param types of the columns, as the statement was described
     */
    static List<String> of(Committed answer, String name, List<ColumnType> types) {
        ResultBlock block = new ResultBlock().wrap(answer.results(), 0, answer.results().length);
        checkTypes(block, name, types);
        List<List<@Nullable Object>> columns = new ArrayList<>();
        types.forEach(type -> columns.add(new ArrayList<>()));
        while (block.next()) {
            for (int i = 0; i < types.size(); i++) {
                columns.get(i).add(block.object(i));
            }
        }
        List<String> arrays = new ArrayList<>();
        long all = 0;
        for (List<@Nullable Object> column : columns) {
            String text = ArrayValues.text(column);
            long bytes = bytes(text, column.size());
            all += bytes;
            if (bytes > MOST_BYTES || all > MOST_BYTES_OF_ALL) {
                throw new FulmarException(
                        ErrorCode.RESULT_TOO_LARGE,
                        "the " + column.size() + " rows that item " + name + " of WITH passes on have more than "
                                + MOST_BYTES + " bytes in a column, or " + MOST_BYTES_OF_ALL
                                + " in all; pass fewer rows or columns at a time, or use several statements in a"
                                + " transaction");
            }
            arrays.add(text);
        }
        return arrays;
    }

    /** At least what the array takes, as a text and in the engine's form. */
    private static long bytes(String text, int elements) {
        return text.getBytes(StandardCharsets.UTF_8).length + (long) ELEMENT_BYTES * elements;
    }

    /** Fails for other columns than were described: the catalog has changed since. */
    private static void checkTypes(ResultBlock block, String name, List<ColumnType> types) {
        boolean areSame = block.columnCount() == types.size();
        for (int i = 0; areSame && i < types.size(); i++) {
            areSame = block.columns().get(i).type().kind() == types.get(i).kind();
        }
        if (!areSame) {
            throw new FulmarException(
                    ErrorCode.PLAN_CHANGED,
                    "the columns of item " + name + " of WITH have changed since the statement was prepared; prepare it"
                            + " again");
        }
    }
}
