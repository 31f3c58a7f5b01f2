package dev.fulmar.postgres.copy;

import dev.fulmar.postgres.dialect.CopyOptions;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.List;

/** Writes lines of the CSV format. */
final class CsvWriter extends DelimitedWriter {
    private static final byte[] END_OF_DATA = {'\\', '.'};

    private final byte delimiter;
    private final byte quote;
    private final byte escape;
    private final boolean[] quoted;

    /** @param columns of the rows, as their reader knows them */
    CsvWriter(CopyOptions options, List<String> columns) {
        super(options);
        delimiter = options.delimiter();
        quote = options.quote();
        escape = options.escape();
        quoted = ColumnMarks.of(options.quoted(), columns, "FORCE_QUOTE");
        if (options.quotesAll()) {
            Arrays.fill(quoted, true);
        }
    }

    @Override
    void value(byte[] bytes, int length, int column, ByteBuf out) {
        write(bytes, length, quoted[column], out);
    }

    @Override
    void name(byte[] bytes, ByteBuf out) {
        write(bytes, bytes.length, false, out);
    }

    private void write(byte[] bytes, int length, boolean isQuoted, ByteBuf out) {
        if (!isQuoted && !needsQuotes(bytes, length)) {
            out.writeBytes(bytes, 0, length);
            return;
        }
        out.writeByte(quote);
        int plain = 0;
        for (int i = 0; i < length; i++) {
            if (bytes[i] == quote || bytes[i] == escape) {
                out.writeBytes(bytes, plain, i - plain);
                out.writeByte(escape);
                plain = i;
            }
        }
        out.writeBytes(bytes, plain, length - plain);
        out.writeByte(quote);
    }

    private boolean needsQuotes(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            byte next = bytes[i];
            if (next == delimiter || next == quote || next == '\n' || next == '\r') {
                return true;
            }
        }
        boolean isNullText = Arrays.equals(bytes, 0, length, nullText(), 0, nullText().length);
        boolean mayEndData = quoted.length == 1 && Arrays.equals(bytes, 0, length, END_OF_DATA, 0, END_OF_DATA.length);
        return isNullText || mayEndData;
    }
}
