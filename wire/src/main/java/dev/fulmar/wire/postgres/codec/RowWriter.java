package dev.fulmar.wire.postgres.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Writer of rows, without an object for a row or a value. The steps are {@link #begin}, then for each column
 * {@link #addNull} or a value, and {@link #end}. A value is appended to the buffer between {@link #beginValue} and
 * {@link #endValue}. The writer serves row after row, by one thread at a time.
 */
public final class RowWriter {
    private static final int MAX_COLUMNS = 0xFFFF;
    private static final int NO_VALUE = -1;

    private ByteBuf out = Unpooled.EMPTY_BUFFER;
    private int start;
    private int missing;
    private int valueStart = NO_VALUE;

    /** Begins a row at the buffer's writer index. */
    public void begin(ByteBuf buffer, int columns) {
        if (columns < 0 || columns > MAX_COLUMNS) {
            throw new IllegalArgumentException("a row has 0 to " + MAX_COLUMNS + " columns, not " + columns);
        }
        out = buffer;
        start = MessageWriter.begin(buffer, 'D');
        buffer.writeShort(columns);
        missing = columns;
        valueStart = NO_VALUE;
    }

    /** Appends a NULL. */
    public void addNull() {
        take();
        out.writeInt(NO_VALUE);
    }

    /** Begins a value, whose bytes are to be appended to the buffer that is returned. */
    public ByteBuf beginValue() {
        take();
        valueStart = out.writerIndex();
        out.writeInt(0);
        return out;
    }

    /** Ends a value: fills in its length. */
    public void endValue() {
        if (valueStart == NO_VALUE) {
            throw new IllegalStateException("no value has begun");
        }
        out.setInt(valueStart, out.writerIndex() - valueStart - Integer.BYTES);
        valueStart = NO_VALUE;
    }

    /** Ends the row: fills in its length. */
    public void end() {
        if (missing != 0 || valueStart != NO_VALUE) {
            throw new IllegalStateException("the row is not complete: " + missing + " values are missing");
        }
        MessageWriter.end(out, start);
        out = Unpooled.EMPTY_BUFFER;
    }

    /** Removes the row that has begun from the buffer, as if it had not. */
    public void discard() {
        out.writerIndex(start - 1);
        out = Unpooled.EMPTY_BUFFER;
        missing = 0;
        valueStart = NO_VALUE;
    }

    private void take() {
        if (missing == 0 || valueStart != NO_VALUE) {
            throw new IllegalStateException(missing == 0 ? "the row has no more columns" : "a value has not ended");
        }
        missing--;
    }
}
