package dev.fulmar.engine.procedure.invocation;

import dev.fulmar.engine.procedure.CallReply;
import dev.fulmar.engine.procedure.ReplyKind;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.procedure.Rows;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The reply of the last call, as places in the call's writer. */
final class ReplyBuffer implements CallReply {
    private static final byte[] NO_BLOCKS = {};

    private final ResultBlockWriter writer;
    private ReplyKind kind = ReplyKind.NOTHING;
    private long value;
    private int[] starts = new int[4];
    private int[] lengths = new int[4];
    private int count;

    ReplyBuffer(ResultBlockWriter writer) {
        this.writer = writer;
    }

    void clear() {
        kind = ReplyKind.NOTHING;
        value = 0;
        count = 0;
    }

    @Override
    public void nothing() {
        kind = ReplyKind.NOTHING;
    }

    @Override
    public void value(long newValue) {
        kind = ReplyKind.VALUE;
        value = newValue;
    }

    @Override
    public void table(@Nullable Rows rows) {
        kind = ReplyKind.TABLE;
        add(rows);
    }

    @Override
    public void tables(@Nullable Rows @Nullable [] tables) {
        kind = ReplyKind.TABLES;
        if (tables == null) {
            throw unusable("null instead of an array of results");
        }
        for (Rows rows : tables) {
            add(rows);
        }
    }

    @SuppressWarnings("ReferenceEquality") // the very array that this call writes to
    private void add(@Nullable Rows rows) {
        if (rows == null) {
            throw unusable("null instead of a result");
        }
        if (!(rows instanceof RowsView view) || view.array() != writer.array()) {
            throw unusable("rows that do not come from its context");
        }
        addBlock(view.blockStart(), view.blockBytes());
    }

    /** Adds a block of the writer; the kind is set by one of the other methods. */
    void addBlock(int start, int length) {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, 2 * count);
            lengths = Arrays.copyOf(lengths, 2 * count);
        }
        starts[count] = start;
        lengths[count] = length;
        count++;
    }

    private static FulmarException unusable(String what) {
        return new FulmarException(
                ErrorCode.PROCEDURE_FAILED,
                "the procedure returned " + what
                        + "; return what query(), execute() or a table builder gave in this call");
    }

    ReplyKind kind() {
        return kind;
    }

    long value() {
        return value;
    }

    long bytes() {
        long total = 0;
        for (int i = 0; i < count; i++) {
            total += lengths[i];
        }
        return total;
    }

    byte[] blocks() {
        if (count == 0) {
            return NO_BLOCKS;
        }
        int total = 0;
        for (int i = 0; i < count; i++) {
            total = Math.addExact(total, lengths[i]);
        }
        byte[] copy = new byte[total];
        int position = 0;
        for (int i = 0; i < count; i++) {
            System.arraycopy(writer.array(), starts[i], copy, position, lengths[i]);
            position += lengths[i];
        }
        return copy;
    }
}
