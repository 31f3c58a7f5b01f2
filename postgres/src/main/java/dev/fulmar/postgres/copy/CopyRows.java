package dev.fulmar.postgres.copy;

import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.postgres.dialect.CopyFormat;
import dev.fulmar.postgres.dialect.CopyHeader;
import dev.fulmar.postgres.dialect.CopyOptions;
import dev.fulmar.postgres.value.ColumnForms;
import dev.fulmar.postgres.value.RowForm;
import dev.fulmar.wire.postgres.codec.BackendEncoder;
import dev.fulmar.wire.postgres.message.ValueFormats;
import dev.fulmar.wire.postgres.type.OutputStyle;
import dev.fulmar.wire.postgres.type.ResultRowWriter;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** Rows as the data of a COPY TO STDOUT: a message for each, as PostgreSQL sends them. Not thread-safe. */
public final class CopyRows implements RowForm {
    private static final int TRAILER = -1;
    private static final int NULL_LENGTH = -1;

    private final CopyOptions options;
    private final List<String> names;
    private final OutputStyle style;

    /** The header of the binary format stands before the first row, or the trailer, in the same message. */
    private boolean owesHeader;

    /**
     * Makes the form of the rows of one COPY.
     *
     * @param names for columns that the query has not named
     * @param style of texts
     */
    public CopyRows(CopyOptions options, List<String> names, OutputStyle style) {
        this.style = style;
        this.options = options;
        this.names = List.copyOf(names);
        this.owesHeader = options.format() == CopyFormat.BINARY;
    }

    /** Appends what stands before all rows. */
    public void begin(ByteBuf out, List<ResultColumn> columns) {
        List<String> shown = ColumnForms.names(columns, names);
        DelimitedWriter writer = delimited(shown); // also fails for columns that the options name and that are none
        if (options.header() != CopyHeader.NONE) {
            int start = BackendEncoder.beginCopyData(out);
            writer.names(shown, out);
            BackendEncoder.endCopyData(out, start);
        }
    }

    private DelimitedWriter delimited(List<String> columns) {
        return options.format() == CopyFormat.CSV ? new CsvWriter(options, columns) : new TextWriter(options);
    }

    @Override
    public Writer writer(List<ResultColumn> columns) {
        if (options.format() == CopyFormat.BINARY) {
            ResultRowWriter values = new ResultRowWriter(columns, ValueFormats.BINARY, style);
            return (out, block) -> binary(out, block, values);
        }
        ResultRowWriter values = new ResultRowWriter(columns, ValueFormats.TEXT, style);
        DelimitedWriter writer = delimited(ColumnForms.names(columns, names));
        return (out, block) -> {
            int start = BackendEncoder.beginCopyData(out);
            writer.row(block, values, out);
            BackendEncoder.endCopyData(out, start);
        };
    }

    private void binary(ByteBuf out, ResultBlock block, ResultRowWriter values) {
        int start = BackendEncoder.beginCopyData(out);
        header(out);
        out.writeShort(block.columnCount());
        for (int i = 0; i < block.columnCount(); i++) {
            if (block.isNull(i)) {
                out.writeInt(NULL_LENGTH);
            } else {
                int length = out.writerIndex();
                out.writeInt(0);
                values.writeValue(out, block, i);
                out.setInt(length, out.writerIndex() - length - Integer.BYTES);
            }
        }
        BackendEncoder.endCopyData(out, start);
    }

    private void header(ByteBuf out) {
        if (owesHeader) {
            owesHeader = false;
            out.writeBytes(BinaryReader.SIGNATURE).writeInt(0).writeInt(0); // no flags, no extension
        }
    }

    /** Appends what stands behind all rows. */
    public void end(ByteBuf out) {
        if (options.format() == CopyFormat.BINARY) {
            int start = BackendEncoder.beginCopyData(out);
            header(out);
            out.writeShort(TRAILER);
            BackendEncoder.endCopyData(out, start);
        }
    }
}
