package dev.fulmar.simulator.workload;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.ResultTable;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts a result of the real client library into the {@link Wish.Reply} from which a wish derives its operations for
 * the history.
 */
public final class ClientReply {
    private ClientReply() {}

    /** The answer; its rows are of numbers only. */
    public static Wish.Reply of(CallResult result) {
        List<List<long[]>> tables = new ArrayList<>();
        for (ResultTable table : result.tables()) {
            List<long[]> rows = new ArrayList<>();
            while (table.next()) {
                long[] row = new long[table.columnCount()];
                for (int column = 0; column < row.length; column++) {
                    row[column] = table.getLong(column);
                }
                rows.add(row);
            }
            tables.add(rows);
        }
        return new Wish.Reply(result.hasValue() ? result.longValue() : 0, tables);
    }
}
