package dev.fulmar.benchmarks.workload;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.sql.text.ScriptSplitter;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Ad hoc statements of loads and checks. */
public final class Statements {
    private Statements() {}

    /** Executes the statements of a script, one after another. */
    public static void executeScript(FulmarClient client, String script) {
        ScriptSplitter.split(script).forEach(client::execute);
    }

    /** The one integer that the query yields. */
    public static long longOf(FulmarClient client, String query, @Nullable Object... arguments) {
        return scalar(client.execute(query, arguments)).getLong(0);
    }

    /** The one decimal that the query yields; a null, as the sum of nothing is, counts as zero. */
    public static BigDecimal decimalOf(FulmarClient client, String query, @Nullable Object... arguments) {
        BigDecimal value = scalar(client.execute(query, arguments)).getDecimal(0);
        return value == null ? BigDecimal.ZERO : value;
    }

    private static ResultTable scalar(CallResult result) {
        ResultTable table = result.table();
        if (table.rowCount() != 1 || table.columnCount() != 1) {
            throw new IllegalArgumentException("the query yields " + table.rowCount() + " rows of "
                    + table.columnCount() + " columns instead of one value");
        }
        return table.first();
    }
}
