package dev.fulmar.coordinator.request;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.foundation.data.ResultBlock;
import org.jspecify.annotations.Nullable;

/**
 * The text of a query of one number, which is the answer to a statement that changes so many rows. It begins with a
 * control character. No statement of a client begins so.
 */
public final class CountedStatement {
    private static final char MARK = '\u0004';
    private static final byte[] NO_ROWS = {};

    private CountedStatement() {}

    /** The text for the query. */
    public static String text(String query) {
        return MARK + query;
    }

    /** The query of such a text; null if the text is another. */
    public static @Nullable String query(String text) {
        return isOne(text) ? text.substring(1) : null;
    }

    /** Whether the text is one of these. */
    public static boolean isOne(String text) {
        return !text.isEmpty() && text.charAt(0) == MARK;
    }

    /** Refuses the text of a client that looks like one. */
    public static void refuse(String text) {
        if (isOne(text)) {
            throw NumberedStatement.refused();
        }
    }

    /** The number that a result of such a text has, as a change answers it; the result of any other text as it is. */
    public static Committed answer(String text, Committed result) {
        if (!isOne(text)) {
            return result;
        }
        ResultBlock rows = new ResultBlock().wrap(result.results(), 0, result.results().length);
        rows.next();
        return new Committed(Kind.VALUE, rows.getLong(0), NO_ROWS);
    }
}
