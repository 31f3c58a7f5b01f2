package dev.fulmar.postgres.copy;

import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.memory.ByteBudget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows that count together or not at all, as statements. Their memory is taken until they are given up. */
final class CopyBatch {
    private static final int FIRST_BYTES = 4 << 10;
    private static final int MOST_BYTES = 64 << 20;
    private static final int COUNT_BYTES = 2;

    /** Parameters of so many bytes make a statement before it has all its rows. */
    private static final int STATEMENT_BYTES = 256 << 10;

    private final InsertTexts texts;
    private final int columns;
    private final int rowsAtOnce;
    private final ByteBudget memory;
    private final long limitBytes;
    private final List<CopyStatement> statements = new ArrayList<>();
    private long bytes;
    private long rows;
    private long lastLine;

    // Rows that are not yet a statement.
    private final ParameterWriter writer = new ParameterWriter(FIRST_BYTES, MOST_BYTES).begin();
    private final int[] rowEnds;
    private final long[] rowLines;
    private int open;

    /**
     * @param memory from which it takes its bytes
     * @param limitBytes of all its statements
     */
    CopyBatch(InsertTexts texts, int columns, ByteBudget memory, long limitBytes) {
        this.texts = texts;
        this.columns = columns;
        this.rowsAtOnce = InsertTexts.rowsAtOnce(columns);
        this.memory = memory;
        this.limitBytes = limitBytes;
        this.rowEnds = new int[rowsAtOnce];
        this.rowLines = new long[rowsAtOnce];
    }

    /** Adds a row of a line. */
    void add(CopyRow row, RowDecoder decoder, long line) {
        decoder.add(row, writer);
        rowEnds[open] = writer.end();
        rowLines[open] = line;
        lastLine = line;
        open++;
        rows++;
        if (open == rowsAtOnce || rowEnds[open - 1] >= STATEMENT_BYTES) {
            cut();
        }
    }

    long rows() {
        return rows;
    }

    /** Line of its last row. */
    long lastLine() {
        return lastLine;
    }

    /** All its rows as statements. */
    List<CopyStatement> complete() {
        cut();
        return List.copyOf(statements);
    }

    /** Makes statements of the rows that are none yet; each has a power of two of them. */
    private void cut() {
        int first = 0;
        while (first < open) {
            int count = Integer.highestOneBit(open - first);
            add(first, count);
            first += count;
        }
        open = 0;
        writer.begin();
    }

    private void add(int first, int count) {
        int from = first == 0 ? COUNT_BYTES : rowEnds[first - 1];
        int to = rowEnds[first + count - 1];
        byte[] parameters = new byte[COUNT_BYTES + to - from];
        LittleEndian.putShort(parameters, 0, count * columns);
        System.arraycopy(writer.array(), from, parameters, COUNT_BYTES, to - from);
        CopyStatement statement =
                new CopyStatement(texts.of(count), parameters, count, rowLines[first], rowLines[first + count - 1]);
        take(statement.bytesBehind(statements.isEmpty() ? null : statements.getLast()));
        statements.add(statement);
    }

    private void take(long more) {
        if (bytes + more > limitBytes) {
            throw new FulmarException(
                    ErrorCode.TRANSACTION_TOO_LARGE,
                    "the rows of this COPY take more than the " + limitBytes
                            + " bytes of a transaction; SET fulmar.copy_batch = 1000 outside of a transaction, so that"
                            + " each 1000 rows count by themselves, or raise transactions.bytes");
        }
        if (!memory.take(more)) {
            throw memory.refuse();
        }
        bytes += more;
    }

    /** Gives its memory back; it has no rows from now on. */
    void giveUp() {
        memory.giveBack(bytes);
        bytes = 0;
        statements.clear();
        open = 0;
        writer.begin();
        Arrays.fill(rowEnds, 0);
    }
}
