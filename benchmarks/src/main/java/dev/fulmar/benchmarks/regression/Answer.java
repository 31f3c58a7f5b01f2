package dev.fulmar.benchmarks.regression;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a server to one statement.
 *
 * @param sqlState of its error; empty if there was none
 * @param message of its error, for readers alone
 * @param columns of its rows
 * @param rows values as text, a null for a NULL; of a COPY the lines
 * @param tag of the command that is complete
 * @param status of the transaction behind it: I for none, T, or E for one that has failed
 */
record Answer(
        String sqlState,
        String message,
        List<Column> columns,
        List<List<@Nullable String>> rows,
        String tag,
        char status) {
    /** A column of a result. */
    record Column(String name, int typeOid) {}

    Answer {
        columns = List.copyOf(columns);
    }

    boolean isError() {
        return !sqlState.isEmpty();
    }

    boolean hasFailedTransaction() {
        return status == 'E';
    }

    /** The rows in an order that is the same for the same rows. */
    List<String> sorted() {
        List<String> sorted = new ArrayList<>();
        for (List<@Nullable String> row : rows) {
            StringBuilder text = new StringBuilder();
            for (String value : row) {
                text.append(value == null ? "null" : "'" + value + "'").append(' ');
            }
            sorted.add(text.toString());
        }
        sorted.sort(Comparator.naturalOrder());
        return sorted;
    }
}
