package dev.fulmar.postgres.session;

import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.postgres.value.RowForm;
import java.util.List;

/** The rows of a result, and how many of them are sent. */
final class ResultRows {
    /** Between two looks at how much the client has taken. */
    private static final int ROWS_AT_ONCE = 64;

    private final ResultBlock block;
    private final RowForm.Writer writer;
    private int sent;

    /** @param results a result block */
    ResultRows(byte[] results, RowForm form) {
        this.block = new ResultBlock().wrap(results, 0, results.length);
        this.writer = form.writer(block.columns());
    }

    List<ResultColumn> columns() {
        return block.columns();
    }

    long count() {
        return block.rowCount();
    }

    /** Rows that the last {@link #send} and those before have sent. */
    long sent() {
        return sent;
    }

    boolean isAtEnd() {
        return sent == block.rowCount();
    }

    /**
     * Sends rows while the client takes them.
     *
     * @param limit of all rows that are sent
     * @return whether the limit or the end is reached
     */
    boolean send(ClientOutput output, long limit) {
        while (sent < limit && !isAtEnd()) {
            if (sent % ROWS_AT_ONCE == 0 && !output.isWritable()) {
                return false;
            }
            block.next();
            writer.write(output.rows(), block);
            sent++;
        }
        return true;
    }
}
