package dev.fulmar.postgres.copy;

import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.postgres.dialect.CopyOptions;
import dev.fulmar.wire.postgres.type.ResultRowWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes rows as lines, without an object for a row or a value. Not thread-safe. */
abstract sealed class DelimitedWriter permits TextWriter, CsvWriter {
    private static final int FIRST_BYTES = 256;

    private final byte delimiter;
    private final byte[] nullText;

    /** A value before it is known what of it has a special meaning. */
    private final ByteBuf value = Unpooled.buffer(FIRST_BYTES);

    DelimitedWriter(CopyOptions options) {
        delimiter = options.delimiter();
        nullText = options.nullText().getBytes(StandardCharsets.UTF_8);
    }

    /** Appends a value of a column so that it is read as what it is. */
    abstract void value(byte[] bytes, int length, int column, ByteBuf out);

    /** Appends the name of a column. */
    abstract void name(byte[] bytes, ByteBuf out);

    byte[] nullText() {
        return nullText;
    }

    /** Appends the block's current row. */
    final void row(ResultBlock block, ResultRowWriter values, ByteBuf out) {
        for (int i = 0; i < block.columnCount(); i++) {
            if (i > 0) {
                out.writeByte(delimiter);
            }
            if (block.isNull(i)) {
                out.writeBytes(nullText);
            } else {
                value.clear();
                values.writeValue(value, block, i);
                value(value.array(), value.writerIndex(), i, out);
            }
        }
        out.writeByte('\n');
    }

    /** Appends a line of names. */
    final void names(List<String> names, ByteBuf out) {
        for (int i = 0; i < names.size(); i++) {
            if (i > 0) {
                out.writeByte(delimiter);
            }
            name(names.get(i).getBytes(StandardCharsets.UTF_8), out);
        }
        out.writeByte('\n');
    }
}
